interface LogoProps {
  /** Pixels. */
  readonly size: number
}

/** The mark of Narval; the name always stands beside it. */
export const Logo = ({ size }: LogoProps) => <img src="/assets/logo.svg" width={size} height={size} alt="" />

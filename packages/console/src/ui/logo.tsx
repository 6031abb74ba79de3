import { usePublicConfiguration } from '../lib/public-configuration.ts'
import classes from './logo.module.css'

interface LogoProps {
  /** Pixels. */
  readonly size: number
}

/** The mark of the product, Narval's unless another was chosen; the name always stands beside it. */
export const Logo = ({ size }: LogoProps) => {
  const { logo } = usePublicConfiguration()
  return (
    <img className={classes.logo} src={logo === '' ? '/assets/logo.svg' : logo} width={size} height={size} alt="" />
  )
}

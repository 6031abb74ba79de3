/** A page of choices, as the Select2 routes give it. */
export interface OptionPage {
  readonly results: readonly { readonly id: number; readonly text: string }[]
  readonly pagination: { readonly more: boolean }
}

/** Where a select finds its choices as one types, and the name of a choice known by its id alone. */
export interface OptionSource {
  readonly key: string
  readonly search: (term: string, signal: AbortSignal) => Promise<OptionPage>
  readonly nameOf: (id: number, signal: AbortSignal) => Promise<string>
}

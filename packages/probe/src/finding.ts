/** What `narval-probe --check` found: a fault keeps the probe from its work, a warning does not. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'fault'
  readonly text: string
}

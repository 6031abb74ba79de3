export type Bit = 0 | 1

/** Rows of which a list says when they were made, and who changed them last. */
export interface Stamped {
  created_at: number
  updated_at: number
  updated_by: string | null
}

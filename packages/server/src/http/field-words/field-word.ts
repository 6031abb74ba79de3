/** What a field means (in a reply, where that is something else), and a value to show as an example where one sends it. */
export type FieldWord = string | { readonly text?: string; readonly reply?: string; readonly example?: unknown }

/**
 * Fields, by `Scope.name` (a component, an address without `/api/`, or the field that holds it) or by name alone; a
 * scope alone describes the object itself.
 */
export type FieldWords = Readonly<Record<string, FieldWord>>

import { expect, test } from 'vitest'
import { typeset } from './typeset.ts'

test('a sentence gets narrow spaces and the apostrophe of print; what somebody wrote keeps his own', () => {
  expect(typeset("Le site « l'Atelier » n'existe pas : l'adresse ?")).toBe(
    "Le site «\u202fl'Atelier\u202f» n’existe pas\u202f: l’adresse\u202f?",
  )
})

test('a sentence that the requirements quote keeps its characters (spec §5)', () => {
  const quoted = "Le mot de passe peut contenir jusqu'à 32 caractères"
  expect(typeset(quoted)).toBe(quoted)
})

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../packages/console/src/', import.meta.url))
const CATALOGUES = ['**/fr.ts', '**/*-fr.ts', 'i18n/*.ts', 'features/**/*-words.ts']
/** A plain space, at which a line may end, where French has one that holds: before these marks, within « ». */
const BREAKS = / [:;?!»](?=\s|$|[.,)])|« /

const textsOf = (file: string): string[] => {
  const source = ts.createSourceFile(file, readFileSync(ROOT + file, 'utf8'), ts.ScriptTarget.Latest)
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

it('no text of the console lets a line end before « : ; ? ! » or inside of guillemets', () => {
  const files = globSync(CATALOGUES, { cwd: ROOT })
  expect(files.length).toBeGreaterThan(40)
  const faults = files.flatMap(file => textsOf(file).flatMap(text => (BREAKS.test(text) ? [`${file}: ${text}`] : [])))
  expect(faults).toEqual([])
})

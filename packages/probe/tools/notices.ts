import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the package that a file under `node_modules` belongs to. */
const packageOf = (file: string): string => {
  const at = file.lastIndexOf('/node_modules/') + '/node_modules/'.length
  const [first = '', second = ''] = file.slice(at).split('/')
  return join(file.slice(0, at), first.startsWith('@') ? `${first}/${second}` : first)
}

const noticeOf = (folder: string): string => {
  const { name, version, license }: Record<string, string> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const files = readdirSync(folder).filter(file => /^(?:licen[cs]e|notice|copying)/i.test(file))
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** The licences of the packages that these files come from, as their authors ask for wherever their code goes. */
export const noticesOf = (files: readonly string[]): string => {
  const folders = new Set(files.map(file => packageOf(file.replace(/^\0/, '').replace(/\?.*$/, ''))))
  const notices = [...folders].filter(folder => existsSync(join(folder, 'package.json'))).map(noticeOf)
  return `${notices.toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

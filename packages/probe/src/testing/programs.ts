import { accessSync, constants } from 'node:fs'

const FOLDERS = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/local/bin', '/usr/local/sbin', '/usr/libexec']

/** The path of a program that a test needs, in the usual folders and these; null when the machine does not have it. */
export const findProgram = (name: string, more: readonly string[] = []): string | null =>
  [...FOLDERS, ...more].map(folder => `${folder}/${name}`).find(isExecutable) ?? null

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

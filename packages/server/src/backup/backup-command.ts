import { constants, getPriority, setPriority } from 'node:os'
import { readConfig } from '../config.ts'
import { fromHere, parseCommand, saidOf, sizeText } from './command-line.ts'
import { createBackup } from './create.ts'
import { noteLastBackup } from './last-backup.ts'
import type { Manifest } from './manifest.ts'
import { keepNewest } from './retention.ts'
import { verifyBackup } from './verify.ts'

const USAGE = `npm run backup -- <dossier> [--keep N] [--without-keys]
npm run backup -- --verify <sauvegarde>

Écrit dans <dossier> une sauvegarde entière et vérifiée, le serveur tournant ou non : base, mesures, clés.
  --keep N        ne garde que les N dernières sauvegardes de ce serveur, une fois celle-ci faite
  --without-keys  laisse les clés de côté : à garder ailleurs, sans elles les secrets ne se relisent pas
  --verify        relit une sauvegarde et la compare à son manifeste, sans rien écrire
Sort avec 0 si tout va bien, 1 si la sauvegarde n’a pu se faire ou est abîmée, 2 si la commande est fausse.`

const bytesOf = ({ files }: Manifest): number => files.reduce((sum, file) => sum + file.bytes, 0)
const DATE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'medium' })

const run = async (args: readonly string[]): Promise<number> => {
  const command = parseCommand(args, ['--without-keys'], ['--keep', '--verify'])
  const verified = command?.value('--verify') ?? null
  const keep = command?.value('--keep') ?? null
  if (command === null || (command.path === null) === (verified === null) || !/^([1-9]\d{0,3})?$/.test(keep ?? '')) {
    console.error(USAGE)
    return 2
  }
  if (verified !== null) return verify(fromHere(verified))
  return backUp(fromHere(command.path ?? ''), !command.has('--without-keys'), keep === null ? null : Number(keep))
}

const verify = async (path: string): Promise<number> => {
  const manifest = await verifyBackup(path)
  console.log(
    `Sauvegarde intacte\u202f: ${manifest.files.length} fichiers, ${sizeText(bytesOf(manifest))}, du ${DATE.format(new Date(manifest.at))} (Narval ${manifest.version}).`,
  )
  return 0
}

const backUp = async (destination: string, keys: boolean, keep: number | null): Promise<number> => {
  const config = readConfig(process.env)
  // The server and those who look at it come first. What is even less urgent already may not become more so.
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  const startedMs = Date.now()
  const note = (ok: boolean, path: string | null, bytes: number, message: string): void => {
    const nowMs = Date.now()
    const last = { at: new Date(nowMs).toISOString(), ok, path, bytes, durationMs: nowMs - startedMs, message }
    try {
      noteLastBackup(config.dataFolder, last)
    } catch (error) {
      console.error(`Le résultat n’a pas été noté dans ${config.dataFolder}\u202f: ${messageOf(error)}`)
    }
  }
  try {
    const { path, manifest } = await createBackup({
      ...{ config, destination, keys, now: Date.now },
      onStep: text => console.log(text),
    })
    const bytes = bytesOf(manifest)
    note(true, path, bytes, '')
    console.log(
      [
        `Sauvegarde faite et vérifiée\u202f: ${path} (${sizeText(bytes)}, ${Math.ceil((Date.now() - startedMs) / 1_000)} s).`,
        ...keyLines(manifest),
      ].join('\n'),
    )
    const old = keep === null ? [] : keepNewest(destination, manifest.installation, keep)
    for (const name of old) console.log(`Supprimée\u202f: ${name}`)
    return 0
  } catch (error) {
    note(false, null, 0, messageOf(error))
    throw error
  }
}

const keyLines = ({ keys }: Manifest): string[] => {
  const lines = keys.included
    ? ['Elle contient les clés\u202f: gardez-la comme un mot de passe.']
    : ['Les clés n’y sont pas\u202f: gardez à part le dossier secrets, sans lui elle ne se restaure pas entière.']
  if (keys.secretsFrom !== 'folder')
    lines.push('La clé des secrets (NARVAL_SECRETS_KEY ou son fichier) n’y est pas\u202f: gardez-la à part.')
  return lines
}

const messageOf = (error: unknown): string => saidOf(error) ?? (error instanceof Error ? error.message : 'échec')

run(process.argv.slice(2))
  .then(code => process.exit(code))
  .catch((error: unknown) => {
    console.error(saidOf(error) ?? error)
    process.exit(1)
  })

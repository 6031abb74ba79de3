import { readConfig } from '../config.ts'
import { fromHere, parseCommand, saidOf } from './command-line.ts'
import { restoreBackup } from './restore.ts'

const USAGE = `npm run restore -- <sauvegarde> [--replace] [--keys <dossier secrets>] [--without-keys]

Vérifie la sauvegarde, puis la met dans le dossier de NARVAL_DATA (et la base de DATABASE_URL), aucun serveur n’y tournant.
  --replace       remplace ce qui s’y trouve : le dossier d’avant y est gardé de côté, les tables de PostgreSQL sont remplacées
  --keys          dossier « secrets » gardé à part, quand la sauvegarde est sans clés
  --without-keys  se passe des clés qui manquent
Sort avec 0 si la restauration est faite, 1 si elle est refusée ou échoue (rien n’a alors changé), 2 si la commande est fausse.`

const DATE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'medium' })

const run = async (args: readonly string[]): Promise<number> => {
  const command = parseCommand(args, ['--replace', '--without-keys'], ['--keys'])
  if (command === null || command.path === null) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  const keys = command.value('--keys')
  const { manifest, before, isOlder, missing } = await restoreBackup({
    config,
    backup: fromHere(command.path),
    replace: command.has('--replace'),
    keys: keys === null ? null : fromHere(keys),
    withoutKeys: command.has('--without-keys'),
    now: Date.now,
    onStep: text => console.log(text),
  })
  const lines = [
    `Restauré dans ${config.dataFolder}\u202f: l’état du ${DATE.format(new Date(manifest.at))}.`,
    ...missing,
  ]
  if (isOlder) lines.push('Son schéma est d’une version plus ancienne\u202f: le prochain démarrage le met à niveau.')
  if (before !== null)
    lines.push(`Ce qui s’y trouvait est gardé dans ${before}\u202f: supprimez-le quand tout va bien.`)
  lines.push('Démarrez maintenant le serveur.')
  console.log(lines.join('\n'))
  return 0
}

run(process.argv.slice(2))
  .then(code => process.exit(code))
  .catch((error: unknown) => {
    console.error(saidOf(error) ?? error)
    process.exit(1)
  })

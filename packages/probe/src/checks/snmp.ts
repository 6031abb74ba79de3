import { bareOid, type CheckParameters, snmpValueKey } from '@narval/contracts'
import { type CheckFailure, detail, failure } from '../failure.ts'
import type { Varbind } from '../snmp/client.ts'
import { numberOf, shownValue, textOf } from '../snmp/values.ts'
import { snmpRunner } from './snmp-run.ts'

type Wanted = CheckParameters<'snmp'>['values'][number]

const words = {
  absent: (names: readonly string[]) =>
    failure('mismatch', `OID absent de l’équipement\u202f: ${names.map(name => `«\u202f${name}\u202f»`).join(', ')}`),
  notANumber: (name: string, text: string) =>
    failure('mismatch', `«\u202f${name}\u202f» n’est pas un nombre\u202f: «\u202f${text.slice(0, 100)}\u202f»`),
}

/** Values by OID: those that are there are kept even when others are not. */
export const snmp = snmpRunner('snmp', async (session, { values: wanted }) => {
  const found = await session.get(wanted.map(({ oid }) => bareOid(oid)))
  const values: Record<string, number> = {}
  const absent: string[] = []
  let unreadable: CheckFailure | null = null
  for (const [n, one] of wanted.entries()) {
    const varbind = found[n]
    if (varbind === undefined || varbind.type === 'absent' || varbind.type === 'end') {
      absent.push(one.name)
      continue
    }
    const value = readValue(one, varbind)
    if (value === null) unreadable ??= words.notANumber(one.name, textOf(varbind))
    else values[snmpValueKey(one.oid)] = value
  }
  return {
    values,
    failure: absent.length > 0 ? words.absent(absent) : unreadable,
    details: () => [
      detail('Valeurs lues', found.map(one => `${one.oid} = ${one.type}\u202f: ${shownValue(one)}`).join('\n')),
    ],
  }
})

const readValue = ({ type, expected, factor }: Wanted, varbind: Varbind): number | null => {
  if (type === 'text') return textOf(varbind) === expected.trim() ? 1 : 0
  const number = numberOf(varbind) ?? numberIn(textOf(varbind))
  return number === null ? null : type === 'state' ? number : number * factor
}

/** The number that a text begins with: `23.5 C`, `-4,2`. */
const numberIn = (text: string): number | null => {
  const [found] = /^[-+]?\d{1,20}(?:[.,]\d{1,20})?/u.exec(text) ?? []
  return found === undefined ? null : Number(found.replace(',', '.'))
}

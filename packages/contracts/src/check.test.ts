import { describe, expect, it } from 'vitest'
import { metricDefinition } from './check.ts'

describe('the definition of a metric key', () => {
  it('bears the instance in its name, just as the probe says it', () => {
    for (const instance of ['/data', '$& $1 $$ $`', '{instance}', '<img src=x>'])
      expect(metricDefinition('system', `disk_used_ratio[${instance}]`)?.name).toBe(`Espace disque ${instance}`)
  })

  it('is there for the keys of its kind only, with an instance where the kind has them and nowhere else', () => {
    expect(metricDefinition('tcp', 'connect_time')?.name).toBe('Temps de connexion')
    for (const key of ['disk_used_ratio', 'cpu_used_ratio[0]', 'connect_time', 'disk_used_ratio[]', '__proto__[x]'])
      expect(metricDefinition('system', key)).toBeNull()
  })
})

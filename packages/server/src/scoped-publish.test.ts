import { NO_COUNTS } from '@narval/engine'
import { describe, expect, it } from 'vitest'
import type { Model } from './monitoring/fleet/model.ts'
import { scopedPublish } from './scoped-publish.ts'

const place = { sites: new Set([10]), tags: new Set<string>() }
const EMPTY: Model = {
  ...{ version: 0, sites: new Map(), hosts: new Map(), scanners: new Map(), metrics: new Map() },
  standIns: new Map(),
}
const ALL = 1
const LYON = 2

/** What each of the two accounts is sent of one message. */
const told = (
  hub: Parameters<ReturnType<typeof scopedPublish>>[0],
  argument: unknown,
  to?: (id: number) => boolean,
) => {
  const heard = new Map<number, unknown[]>([ALL, LYON].map(id => [id, []]))
  const publish = scopedPublish(
    (_hub, _stream, sent, wanted) => {
      for (const [id, list] of heard) if (wanted?.(id) ?? true) list.push(sent)
    },
    { model: () => EMPTY, limited: () => new Map([[LYON, place]]), isConnected: () => true },
  )
  publish(hub, 'global', argument, to)
  return { all: heard.get(ALL), lyon: heard.get(LYON) }
}

describe('S32: what the hubs push to an account that is limited to sites', () => {
  it('holds only the rows of its sites, the others get the whole message', () => {
    const hosts = [
      { id: 1, siteId: 10 },
      { id: 2, siteId: 20 },
    ]
    expect(told('host', { hosts })).toEqual({ all: [{ hosts }], lyon: [{ hosts: [{ id: 1, siteId: 10 }] }] })
    const metrics = [{ id: 5, siteId: 20 }]
    expect(told('metric', { metrics })).toEqual({ all: [{ metrics }], lyon: [] })
    const sites = [{ id: 10 }, { id: 20 }]
    expect(told('site', { sites, entities: [20] }).lyon).toEqual([{ sites: [{ id: 10 }], entities: [] }])
  })

  it('says that something went out of sight, by the id of nothing: a list that showed it asks again', () => {
    const message = { hosts: [], entities: [1, 2] }
    expect(told('host', message)).toEqual({ all: [message], lyon: [{ hosts: [], entities: [0] }] })
  })

  it('counts what it sees, and says of probes and maintenances only that something changed', () => {
    const at = '2026-11-22T08:00:00.000Z'
    const message = { severities: { ...NO_COUNTS, error: 9 }, probesOffline: 3, probes: [7], at }
    expect(told('service', message).all).toEqual([message])
    expect(told('service', message).lyon).toEqual([
      expect.objectContaining({ severities: NO_COUNTS, hosts: NO_COUNTS, probes: [], at }),
    ])
    expect(told('service', message).lyon?.[0]).not.toHaveProperty('probesOffline')
  })

  it('leaves an alert to whom it is for, and to nobody limited where that is not known', () => {
    const alert = { type: 'Error', title: 'x', message: 'y' }
    expect(told('communication', alert)).toEqual({ all: [alert], lyon: [] })
    expect(told('communication', alert, id => id === LYON)).toEqual({ all: [], lyon: [alert] })
  })
})

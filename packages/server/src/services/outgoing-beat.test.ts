import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../testing/receiver.ts'
import { createTestApp, DIALECTS, type TestApp } from '../testing/test-app.ts'
import { createOutgoingBeat } from './outgoing-beat.ts'
import { writeMark } from './store-parts.ts'

describe.each(DIALECTS)('the outgoing beat, on %s', dialect => {
  let test: TestApp
  let receiver: Receiver
  let errors: string[]
  let held: string | null
  let beatUrl: string

  beforeEach(async () => {
    test = await createTestApp({ dialect })
    receiver = await openReceiver()
    errors = []
    held = null
    beatUrl = receiver.url
  })
  afterEach(async () => {
    await receiver.close()
    await test.close()
  })

  /** Due at each look; proven by the judging and the database of a real server. */
  const open = (patienceMs = 10_000) =>
    createOutgoingBeat({
      settings: () => ({ beatUrl, beatSeconds: 0 }),
      holdBack: () => held,
      prove: () => test.app.monitoring.evaluation.alone(() => writeMark(test.database, 'essai', Date.now())),
      failed: text => errors.push(text),
      now: Date.now,
      patienceMs,
    })
  const statusOf = (beat: ReturnType<typeof open>) => beat.part.status(Date.now())

  it('is off without an address, and calls the one that is given with nothing of the server in it', async () => {
    const beat = open()
    beatUrl = ''
    await beat.tick()
    expect(statusOf(beat).state).toBe('off')
    beatUrl = receiver.url
    await beat.tick()
    expect(receiver.received).toMatchObject([{ method: 'GET', path: '/appel', body: '' }])
    expect(receiver.received[0]?.headers['user-agent']).toBe('Narval')
    expect(statusOf(beat)).toMatchObject({ state: 'ok', reason: `Arrive chez 127.0.0.1:${receiver.port}.` })
  })

  it('R23: does not go out while judging stands still, and goes out again once it moves', async () => {
    const beat = open(150)
    const { promise, resolve } = Promise.withResolvers<void>()
    const standing = test.app.monitoring.evaluation.alone(() => promise)
    await beat.tick()
    await beat.tick()
    expect(receiver.received).toHaveLength(0)
    expect(statusOf(beat)).toMatchObject({
      state: 'error',
      reason: 'Retenu\u202f: le jugement ou l’écriture n’avance plus.',
    })
    expect(errors).toHaveLength(1)
    resolve()
    await standing
    // As patient as a server has to be on a busy machine.
    await open().tick()
    expect(receiver.received).toHaveLength(1)
  })

  it('does not go out while the database fails to write, nor while something else holds it back', async () => {
    const beat = open()
    await test.database.db.schema.alterTable('service_mark').renameTo('elsewhere').execute()
    await beat.tick()
    expect([receiver.received.length, statusOf(beat).reason]).toEqual([
      0,
      'Retenu\u202f: la base n’accepte pas ce qui est écrit.',
    ])
    await test.database.db.schema.alterTable('elsewhere').renameTo('service_mark').execute()
    held = 'le serveur démarre ou s’arrête'
    await beat.tick()
    expect(receiver.received).toHaveLength(0)
    held = null
    await beat.tick()
    expect(receiver.received).toHaveLength(1)
  })

  it('S47 S48: reaches no refused address, follows no redirect, and says what came back', async () => {
    const beat = open()
    receiver.answerWith(response => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    await beat.tick()
    expect(statusOf(beat)).toMatchObject({
      state: 'warning',
      reason: `N’est pas arrivé chez 127.0.0.1:${receiver.port}.`,
    })
    receiver.answerWith(response => response.writeHead(500).end())
    await beat.tick()
    await beat.tick()
    expect(statusOf(beat).state).toBe('error')
    expect(receiver.received).toHaveLength(3)
    expect(errors).toEqual([
      `127.0.0.1:${receiver.port} renvoie ailleurs, ce qui n’est pas suivi (302).`,
      `127.0.0.1:${receiver.port} a répondu 500.`,
      `127.0.0.1:${receiver.port} a répondu 500.`,
    ])
    beatUrl = 'http://169.254.169.254/latest'
    await beat.tick()
    expect(statusOf(beat).state).toBe('warning')
    expect(errors.at(-1)).toContain('169.254.169.254')
  })
})

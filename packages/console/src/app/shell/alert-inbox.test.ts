import type { Notification } from '@narval/contracts'
import { describe, expect, test } from 'vitest'
import { createAlertInbox } from './alert-inbox.ts'

const alert = (id?: number) => ({ type: 'Error', title: '', message: '', ...(id === undefined ? {} : { id }) }) as const
const kept = (id: number): Notification => ({
  id,
  at: '2026-11-21T10:00:00Z',
  severity: 'error',
  type: 'Error',
  title: '',
  message: '',
  link: '/host/1',
  read: false,
})

describe('R21 alerts missed while away', () => {
  test('what was there before the console opened is no toast', () => {
    const inbox = createAlertInbox()
    expect(inbox.catchUp({ notifications: [kept(9), kept(8)], latest: 9 })).toEqual([])
    expect(inbox.place()).toBe(9)
  })

  test('what came during an interruption is told once, oldest first', () => {
    const inbox = createAlertInbox()
    inbox.catchUp({ notifications: [], latest: 9 })
    const list = { notifications: [kept(12), kept(11), kept(10)], latest: 12 }
    expect(inbox.catchUp(list).map(one => one.id)).toEqual([10, 11, 12])
    expect(inbox.catchUp(list)).toEqual([])
    expect(inbox.place()).toBe(12)
  })

  test('no double toast when the hub and the list bring the same alert, in either order', () => {
    const inbox = createAlertInbox()
    inbox.catchUp({ notifications: [], latest: 9 })
    expect(inbox.admit(alert(10))).toBe(true)
    expect(inbox.catchUp({ notifications: [kept(11), kept(10)], latest: 11 }).map(one => one.id)).toEqual([11])
    expect(inbox.admit(alert(11))).toBe(false)
  })

  test('what came during an interruption is still asked for when the hub brings a newer one first', () => {
    const inbox = createAlertInbox()
    inbox.catchUp({ notifications: [], latest: 9 })
    expect(inbox.admit(alert(10))).toBe(true)
    inbox.lose()
    expect(inbox.admit(alert(13))).toBe(true)
    expect(inbox.place()).toBe(10)
    const list = { notifications: [kept(11), kept(12), kept(13)], latest: 13 }
    expect(inbox.catchUp(list).map(one => one.id)).toEqual([11, 12])
    expect(inbox.admit(alert(14))).toBe(true)
    expect(inbox.place()).toBe(14)
  })

  test('an alert that overtook an earlier one does not hide it', () => {
    const inbox = createAlertInbox()
    inbox.catchUp({ notifications: [], latest: 9 })
    expect(inbox.admit(alert(12))).toBe(true)
    expect(inbox.admit(alert(11))).toBe(true)
  })

  test('an alert without id is always told', () => {
    const inbox = createAlertInbox()
    expect(inbox.admit(alert())).toBe(true)
    expect(inbox.admit(alert())).toBe(true)
  })
})

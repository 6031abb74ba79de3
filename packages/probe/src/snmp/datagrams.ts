import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'

/** A UDP socket connected to one agent: the system leaves aside what comes from any other address or port. */
export interface Datagrams {
  /** Sends, once the socket is open; what fails is told to `onError`. */
  readonly send: (bytes: Buffer) => void
  readonly close: () => void
}

export const openDatagrams = (
  address: string,
  port: number,
  onMessage: (bytes: Buffer) => void,
  onError: (error: Error) => void,
): Datagrams => {
  let state: 'opening' | 'open' | 'closed' = 'opening'
  let waiting: Buffer | null = null
  let socket: Socket | null = null
  const fail = (error: Error): void => {
    if (state !== 'closed') onError(error)
  }
  try {
    const opened = createSocket({
      type: isIP(address) === 6 ? 'udp6' : 'udp4',
      // The address is one already: nothing is looked up.
      lookup: (host, _, callback) => callback(null, host, isIP(host)),
    })
    socket = opened
    opened.on('error', fail)
    opened.on('message', onMessage)
    opened.on('connect', () => {
      state = 'open'
      if (waiting !== null) opened.send(waiting)
      waiting = null
    })
    opened.connect(port, address)
  } catch (error) {
    queueMicrotask(() => fail(error instanceof Error ? error : new Error('socket')))
  }
  return {
    send: bytes => {
      if (state === 'open') socket?.send(bytes)
      else if (state === 'opening') waiting = bytes
    },
    close: () => {
      if (state === 'closed') return
      const wasMade = socket !== null
      state = 'closed'
      if (wasMade) socket?.close()
    },
  }
}

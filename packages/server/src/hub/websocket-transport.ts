import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { webSocketBytes } from './frame.ts'
import type { PushTransport, TransportEvents } from './transport.ts'

/**
 * A WebSocket whose handshake is done. Frames are written ready-made on `socket`, which `webSocket` shares: safe because
 * compression is off, so each write of either is a whole frame.
 */
export function openWebSocketTransport(webSocket: WebSocket, socket: Duplex, events: TransportEvents): PushTransport {
  webSocket.on('message', data => events.onBytes(asBytes(data)))
  webSocket.on('error', () => webSocket.terminate())
  webSocket.on('close', events.onEnd)
  return {
    kind: 'webSocket',
    send(frame) {
      if (webSocket.readyState === webSocket.OPEN) socket.write(webSocketBytes(frame))
    },
    backlogBytes: () => socket.writableLength,
    end: () => webSocket.close(1000),
    drop: () => webSocket.terminate(),
    tick: () => undefined,
  }
}

function asBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

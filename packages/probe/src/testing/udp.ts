import { createSocket, type Socket } from 'node:dgram'

/** A UDP server on a free loopback port that answers each packet, or not (null); kept in `sockets` for whoever closes it. */
export const udpServer = async (
  sockets: Socket[],
  answer: (packet: Buffer) => Buffer | readonly Buffer[] | null,
): Promise<number> => {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.on('message', (packet, from) => {
    const given = answer(packet)
    const all = given === null ? [] : Buffer.isBuffer(given) ? [given] : given
    for (const one of all) socket.send(one, from.port, from.address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return socket.address().port
}

import { connect, createServer, type Socket } from 'node:net'

/** The cable between a browser and the server: it can be pulled out while both live on. */
export interface Line {
  readonly url: string
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections again; nothing where it does already. */
  mend(): Promise<void>
}

/** A line on this port to the server on that one, open from the start. */
export const openLine = async (port: number, serverPort: number): Promise<Line> => {
  const sockets = new Set<Socket>()
  const hold = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  }
  const ends = createServer(near => {
    const far = connect(serverPort, '127.0.0.1')
    hold(near)
    hold(far)
    near.pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  const mend = async (): Promise<void> => {
    if (!ends.listening) await new Promise<void>(resolve => ends.listen(port, '127.0.0.1', () => resolve()))
  }
  await mend()
  return {
    url: `http://127.0.0.1:${port}`,
    mend,
    cut: () =>
      new Promise(resolve => {
        ends.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

import { connect } from 'node:net'
import { DEMO_BANNER } from './scenario.ts'

/** Responders answer within 1.2 s, but where their scenario has them silent: several are asked at once. */
const ASKED = ['127.0.0.1', '127.0.1.1', '127.0.2.1', '127.0.3.1', '127.0.4.1', '127.0.5.1', '127.0.6.1']
const WAIT_MS = 2_000

/** What keeps the demonstration from starting, and what to do, for who started it. */
export const portTaken = async (port: number, tcpPort: number): Promise<string> =>
  (await isDemonstration(tcpPort))
    ? `Le port ${port} est déjà pris par une autre démonstration de Narval : il n’en tourne qu’une à la fois sur une machine. ` +
      'Arrêtez-la (Ctrl+C là où elle fut lancée, ou le processus que nomme « narval.pid » dans son dossier de données), puis recommencez.'
    : `Le port ${port}, dont la démonstration a besoin, est déjà pris par un autre programme. ` +
      `Arrêtez ce programme (« ss -ltnp » dit lequel c’est), puis recommencez ; « npm start » ne demande pas ce port.`

const isDemonstration = (port: number): Promise<boolean> =>
  Promise.any(ASKED.map(address => banner(address, port))).catch(() => false)

const banner = (address: string, port: number): Promise<true> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const giveUp = () => {
      socket.destroy()
      reject(new Error('no banner'))
    }
    socket.setTimeout(WAIT_MS, giveUp)
    socket.once('error', giveUp)
    socket.once('end', giveUp)
    socket.once('data', data => {
      if (!data.toString('latin1').startsWith(DEMO_BANNER)) return giveUp()
      socket.destroy()
      resolve(true)
    })
  })

import { readdir, readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { toIso } from '../store/time.ts'
import type { ServicePart } from './service-registry.ts'

/** 99 in a hundred turns of the event loop: beyond, people feel it, then nothing works as it should. */
const SLOW_MS = 200
const STUCK_MS = 1_000
/** Of the descriptors that the system allows. */
const MANY = 0.8
const EVERY_MS = 10_000
const RESOLUTION_MS = 20

/** Open files of this process and how many it may have; null where the system does not tell. */
const descriptors = async (): Promise<{ open: number; most: number | null } | null> => {
  const open = await readdir('/proc/self/fd').catch(() => null)
  if (open === null) return null
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return { open: open.length, most: most === undefined ? null : Number(most) }
}

/** The process itself: event loop, memory, descriptors; measured over 10 s each time. */
export const createServerPart = (now: () => number): ServicePart & { readonly stop: () => void } => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const startedMs = now() - process.uptime() * 1_000
  let [cpu, cpuAt, cpuRatio] = [process.cpuUsage(), performance.now(), Number.NaN]
  let loop: { readonly mean: number; readonly p99: number; readonly max: number } | null = null
  let files: Awaited<ReturnType<typeof descriptors>> = null

  const lateBy = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  const measure = async (): Promise<void> => {
    if (delay.count > 0) loop = { mean: lateBy(delay.mean), p99: lateBy(delay.percentile(99)), max: lateBy(delay.max) }
    delay.reset()
    const [used, at] = [process.cpuUsage(cpu), performance.now()]
    cpuRatio = (used.user + used.system) / 1_000 / Math.max(1, at - cpuAt)
    cpu = process.cpuUsage()
    cpuAt = at
    files = await descriptors()
  }
  const judge = (): { state: 'ok' | 'warning' | 'error' | 'unknown'; reason: string } => {
    if (loop === null) return { state: 'unknown', reason: 'Mesuré toutes les 10 s\u202f: pas encore.' }
    if (loop.p99 >= STUCK_MS)
      return { state: 'error', reason: 'La boucle d’évènements est bloquée plus d’une seconde.' }
    if (loop.p99 >= SLOW_MS) return { state: 'warning', reason: 'La boucle d’évènements prend du retard.' }
    if (files !== null && files.most !== null && files.open >= files.most * MANY)
      return { state: 'warning', reason: 'Presque tous les descripteurs permis sont ouverts.' }
    return { state: 'ok', reason: 'Répond sans retard.' }
  }
  return {
    refresh: { everyMs: EVERY_MS, run: measure },
    stop: () => void delay.disable(),
    status() {
      const memory = process.memoryUsage()
      return {
        ...judge(),
        figures: [
          { label: 'Démarré', value: toIso(startedMs), unit: 'instant' },
          { label: 'Processus', value: String(process.pid), unit: 'text' },
          { label: 'Node.js', value: process.version, unit: 'text' },
          { label: 'Retard de la boucle, en moyenne', value: loop?.mean ?? null, unit: 'ms' },
          { label: 'Retard de la boucle, 99 fois sur 100', value: loop?.p99 ?? null, unit: 'ms' },
          { label: 'Retard de la boucle, au plus', value: loop?.max ?? null, unit: 'ms' },
          { label: 'Processeur (un cœur)', value: Number.isNaN(cpuRatio) ? null : cpuRatio, unit: 'ratio' },
          { label: 'Mémoire', value: memory.rss, unit: 'bytes' },
          { label: 'Mémoire des objets', value: memory.heapUsed, unit: 'bytes' },
          { label: 'Descripteurs ouverts', value: files?.open ?? null, unit: 'count' },
          { label: 'Descripteurs permis', value: files?.most ?? null, unit: 'count' },
        ],
      }
    },
  }
}

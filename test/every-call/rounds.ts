// Sends one request after another, fails one system call of each, and checks the promises afterwards.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ask, type Key, settle, sha256 } from '../support/kept-view.ts'
import { leftovers } from '../support/leftovers.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { faultOfCopy, wrongCopies } from '../support/wrong-copies.ts'
import type { CallFailure, Touched } from './calls.ts'
import { createLedger } from './ledger.ts'
import { type Operation, recordingHash, type Subject } from './operations.ts'
import { traced } from './trace.ts'

type Answer = { status: number; text: string }

export type Outcome = {
  /** false: the request has no such call */
  wasHit: boolean
  acknowledged: boolean
  /** messages */
  faults: string[]
}

/** Temporary failure and full disk. */
const FAILURE_STATUSES = [503, 507]

/** Reopening the database under a tracer takes half a minute on a busy machine. */
const STORED_WITHIN_MS = 180_000
const REOPENED_WITHIN_MS = 180_000

const writesOfRecording = ({ call, path, isHit }: Touched): boolean =>
  call === 'write' && /^inbox\/.*\.audio$/.test(path) && !isHit

const COPY_FAILED = 'the copies beside the recordings could not be written yet'

const LAST_ENTRIES = 30

/** All levels: a step that hangs is the one after the last that reported its end. */
const lastEntries = (server: RunningServer): string =>
  server
    .log()
    .slice(-LAST_ENTRIES)
    .map((entry) => JSON.stringify(entry))
    .join('\n')

const unlessKilled = (failure: CallFailure) => (error: unknown) => {
  if (failure !== 'SIGKILL') throw error
}

export async function createRounds(dataFolder: string) {
  const ledger = createLedger()
  let server: RunningServer = await startServer({ dataFolder })
  let round = 0
  /** Answers of 503 to a GET are repeated: the server may be reopening its database when a state is compared. */
  const ask: Ask = async (path, init) => {
    const request = () => fetch(server.url + path, init)
    let response = await request()
    if (init?.method === undefined && response.status === 503)
      await until(
        async () => {
          await response.body?.cancel()
          response = await request()
          return response.status !== 503
        },
        { timeoutMs: REOPENED_WITHIN_MS, what: `an answer to GET ${path} other than 503` },
      )
    return response
  }

  async function startAgain(): Promise<void> {
    await server.kill()
    server = await startServer({ dataFolder })
    await settle(ask)
  }

  /** @returns null if the connection broke */
  async function send(operation: Operation, key: Key): Promise<Answer | null> {
    try {
      const response = await operation.request(ask, key, round)
      return { status: response.status, text: await response.text() }
    } catch {
      return null
    }
  }

  /** The inbox is emptied without a restart. */
  const inboxEmptied = () =>
    until(async () => !(await readdir(join(dataFolder, 'inbox'))).some((name) => name.endsWith('.audio')), {
      timeoutMs: STORED_WITHIN_MS,
      what: 'the inbox to be emptied',
    })

  /** The server retries storing an only copy in the background; the first failure may have left it outside the inbox. */
  const newcomerStored = () =>
    until(async () => (await ledger.newcomers(ask)).length > 0, { timeoutMs: STORED_WITHIN_MS }).catch(
      () => {},
    )

  /** The copy is written as part of a change; after a failure the server repeats it some seconds later. */
  async function copied(subject: Subject, answer: Answer, logged: number): Promise<void> {
    if (answer.status >= 300) return
    const id =
      subject === null
        ? (JSON.parse(answer.text) as { id: string }).id
        : /^capture (.*)/.exec(subject.key)?.[1]
    if (id === undefined) return
    const hasFailed = () =>
      server
        .log()
        .slice(logged)
        .some(({ msg }) => msg === COPY_FAILED)
    await until(async () => hasFailed() || (await faultOfCopy(ask, dataFolder, id)) === null, {
      timeoutMs: STORED_WITHIN_MS,
      what: `the copy of capture ${id}`,
    })
  }

  const isPartWritten = ({ keepsParts }: Operation, calls: Touched[]) =>
    keepsParts === 'always' && calls.some(writesOfRecording)

  async function judge(
    operation: Operation,
    subject: Subject,
    { answer, calls }: { answer: Answer | null; calls: Touched[] },
  ): Promise<string[]> {
    const faults: string[] = []
    const ok = answer !== null && answer.status < 300
    if (answer !== null && !ok && !FAILURE_STATUSES.includes(answer.status))
      faults.push(`returned ${answer.status}: ${answer.text.slice(0, 300)}`)
    if (subject !== null) {
      ledger.expect(subject.key, subject.after, ...(ok ? [] : [subject.before]))
      return [...faults, ...(await ledger.compare(ask, 'none'))]
    }
    const { keepsParts, hash = recordingHash } = operation
    const part = isPartWritten(operation, calls) ? 'certainly a part' : 'part'
    if (!ok) return [...faults, ...(await ledger.compare(ask, keepsParts ? part : 'whole', hash))]
    const { id } = JSON.parse(answer.text) as { id: string }
    const audio = await ask(`/captures/${id}/audio`)
    if (sha256(await audio.arrayBuffer()) !== hash)
      faults.push(`capture ${id} was acknowledged, but its audio is missing or differs`)
    return [...faults, ...(await ledger.compare(ask, 'whole', hash))]
  }

  return {
    /**
     * Runs once without failures, so that one-time objects such as the folder of the month exist.
     * @returns the number of its system calls, which differs a little between runs
     */
    async undisturbed(operation: Operation): Promise<number> {
      const subject = await operation.prepare(ask, round)
      const { calls } = await traced(server, null, async () => {
        await send(operation, subject?.key ?? '')
        await settle(ask)
      })
      return calls.length
    },

    /** @throws with the name of the call and the server's last log entries */
    async hit(operation: Operation, failure: CallFailure, at: number): Promise<Outcome> {
      round++
      let where = `${operation.name}, ${failure} at call ${at}`
      try {
        const subject = await operation.prepare(ask, round)
        if (subject !== null) ledger.expect(subject.key, subject.before)
        await ledger.compare(ask, 'whole')
        const logged = server.log().length
        const { result: answer, calls } = await traced(server, { failure, at }, async () => {
          const sent = await send(operation, subject?.key ?? '')
          // Background work is part of the operation; a kill may hit it after the response.
          if (sent !== null)
            await settle(ask)
              .then(() => copied(subject, sent, logged))
              .catch(unlessKilled(failure))
          return sent
        })
        const hit = calls.find(({ isHit }) => isHit)
        where = `${operation.name}, ${failure} at ${hit?.call ?? 'nothing'} of ${hit?.path || 'the data folder'}`
        if (failure === 'SIGKILL' && hit !== undefined) await startAgain()
        await inboxEmptied()
        if (isPartWritten(operation, calls)) await newcomerStored()
        await settle(ask)
        const faults = await judge(operation, subject, { answer, calls })
        return {
          wasHit: hit !== undefined,
          acknowledged: answer !== null && answer.status < 300,
          faults: faults.map((fault) => `${where}: ${fault}`),
        }
      } catch (error) {
        throw new Error(`${where}: ${error}\n${lastEntries(server)}`, { cause: error })
      }
    },

    /** @returns losses, leftovers and wrong copies after another start */
    async afterAnotherStart(): Promise<string[]> {
      await startAgain()
      const faults = [...(await ledger.compare(ask, 'none')), ...(await wrongCopies(ask, dataFolder))]
      return [...faults, ...(await leftovers(dataFolder))]
    },

    stop: () => server.kill(),
  }
}

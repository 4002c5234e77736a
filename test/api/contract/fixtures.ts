// What exists before the contract test runs: a silent and a spoken capture, a model, a command; and items that an operation
// consumes, recreated for each request.

import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { formOf } from '../../support/speech.ts'
import type { Client, Received } from './client.ts'
import { type ApiDocument, type Operation, parametersIn } from './document.ts'
import { formWith, modelFile, multilingualModelFile } from './recordings.ts'
import { INSTALLED, JSON_TYPE, MULTILINGUAL } from './valid-input.ts'

/** A style that is not the default at first. */
const BUILT_IN_STYLE = BUILTIN_STYLES[1]!.id

export type Fixtures = Awaited<ReturnType<typeof makeFixtures>>

export async function makeFixtures(document: ApiDocument, client: Client) {
  const operation = (id: string): Operation => document.operations.find((one) => one.id === id)!
  const json = (id: string, value: object, path = {}): Promise<Received> =>
    client.call(operation(id), { path, headers: JSON_TYPE, body: JSON.stringify(value) })
  const keep = async (wait = 'true', body = formWith([])) =>
    (await client.call(operation('createCapture'), { query: [['wait', wait]], body })).json
  const jobOf = async (captureId: string): Promise<string> => {
    const jobs = await client.call(operation('listJobs'), { query: [['capture_id', captureId]] })
    return jobs.json.items[0].id
  }
  const newStyle = async () => (await json('createWritingStyle', { name: crypto.randomUUID() })).json
  const newCommand = async () => {
    const name = crypto.randomUUID()
    return (await json('createCommand', { name, triggers: [`please ${name}`], steps: ['sort lines'] })).json
  }
  const newEntry = async () =>
    (await json('createDictionaryEntry', { word: crypto.randomUUID(), replacement: 'another' })).json
  const newBatch = async () => (await json('deleteCaptures', { ids: [crypto.randomUUID()] })).json.batch_id
  const newModel = async (name: string = crypto.randomUUID(), file = modelFile()) =>
    (await client.call(operation('importModel'), { body: formWith([['name', name]], file) })).json.model_name

  const kept = await keep()
  const keptJob = await jobOf(kept.id)
  const command = (await newCommand()).id
  const batch = await newBatch()
  await newModel(MULTILINGUAL, await multilingualModelFile())
  let spoken: string | null = null
  /** A capture with words; created on demand, because the engine needs some seconds for it. */
  const spokenId = async (): Promise<string> => {
    spoken ??= (await keep('true', await formOf('short-01.flac'))).id as string
    return spoken
  }

  const spokenWithVersion = async (): Promise<string> => {
    const id = await spokenId()
    await json('updateCapture', { transcript_refined: crypto.randomUUID() }, { id })
    return id
  }

  async function idOf({ id, path }: Operation): Promise<string> {
    if (id === 'deleteCapture') return (await keep('false')).id
    if (id === 'cancelJob') return jobOf((await keep('false')).id)
    if (id === 'deleteWritingStyle') return (await newStyle()).id
    if (id === 'deleteCommand') return (await newCommand()).id
    if (id === 'cancelBatch') return newBatch()
    if (id === 'correctSegment' || id === 'refineCapture') return spokenId()
    if (id === 'restoreCaptureVersion') return spokenWithVersion()
    if (path.startsWith('/writing-styles/')) return BUILT_IN_STYLE
    if (path.startsWith('/commands/')) return command
    if (path.startsWith('/dictionary/')) return (await newEntry()).id
    if (path.startsWith('/jobs/batches/')) return batch
    return path.startsWith('/jobs/') ? keptJob : kept.id
  }

  const values: Record<string, (one: Operation) => string | Promise<string>> = {
    id: idOf,
    n: ({ id }) => (id === 'restoreCaptureVersion' ? '1' : '0'),
    model: () => INSTALLED,
    deployment: () => INSTALLED,
    name: ({ id }) => (id === 'deleteModel' ? newModel() : INSTALLED),
  }

  return {
    ...{ operation, json, keep, kept, keptJob, spokenId },

    /** Path values of an existing item. */
    async existing(one: Operation): Promise<Record<string, string>> {
      const entries = parametersIn(one, 'path').map(async ({ name }) => [name, await values[name]!(one)])
      return Object.fromEntries(await Promise.all(entries))
    },
  }
}

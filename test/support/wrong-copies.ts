// Compares the copies in the captures folder with the captures in the API, field by field. The server writes a copy
// some time after the change.

import { readRecord } from '../../src/captures/record.ts'
import { wireCaptureDetail, wireCaptureVersion } from '../../src/http/captures/schema.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import { captureIds, type FetchApi } from './kept-view.ts'
import { until } from './until.ts'

/** A sentence for each copy that stays wrong. */
export async function wrongCopies(fetchApi: FetchApi, dataFolder: string): Promise<string[]> {
  const wrong: string[] = []
  for (const id of await captureIds(fetchApi)) {
    const isRight = async () => (await faultOfCopy(fetchApi, dataFolder, id)) === null
    await until(isRight).catch(async () => {
      wrong.push(`the copy of capture ${id} ${await faultOfCopy(fetchApi, dataFolder, id)}`)
    })
  }
  return wrong
}

/** Null if the copy is correct, or if there is no such capture. */
export async function faultOfCopy(
  fetchApi: FetchApi,
  dataFolder: string,
  id: string,
): Promise<string | null> {
  const response = await fetchApi(`/captures/${id}`)
  const shown = await response.json()
  if (response.status === 404) return null
  if (!response.ok) return `cannot be compared: GET answered ${response.status}`
  const copy = await readRecord(createDataFolderStore(dataFolder), id)
  if (copy === null) return 'is missing'
  if (copy === 'unreadable') return 'is unreadable'
  if (copy.state === 'deleted') return 'says that it was deleted'
  const { items } = (await (await fetchApi(`/captures/${id}/versions`)).json()) as { items: unknown[] }
  const copied = asJson({
    ...wireCaptureDetail(copy.capture),
    versions: copy.versions.map(wireCaptureVersion),
  })
  const differs = Object.entries({ ...shown, versions: items }).filter(
    ([name, value]) => !Bun.deepEquals(value, copied[name]),
  )
  return differs.length === 0 ? null : `differs in ${differs.map(([name]) => name).join(', ')}`
}

const asJson = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value))

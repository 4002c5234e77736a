import { useEffect, useRef } from 'preact/hooks'
import { megabytes, percentage, timeSpan } from '../parts/formats.ts'
import { modelName } from '../parts/model-names.ts'
import { announce, note } from '../parts/toasts.tsx'
import { filled, strings } from '../strings/strings.ts'
import { cancelDownload, clearFailedDownloads, type Download, startDownload } from './model-state.ts'

type Shown = { downloads: Download[]; reload: () => Promise<void> }

export const DownloadList = ({ downloads, reload }: Shown) => {
  const { models: words } = strings.value
  useEndings(downloads)
  if (downloads.length === 0) return null
  const clear = async () => {
    await clearFailedDownloads()
    await reload()
  }
  return (
    <section aria-labelledby="models-downloads">
      <h2 id="models-downloads">{words.underWay}</h2>
      <ul class="plainlist stack">
        {downloads.map((download) => (
          <OneDownload key={download.file} download={download} reload={reload} />
        ))}
      </ul>
      {downloads.some(({ status }) => status === 'error') && (
        <button type="button" onClick={() => void clear()}>
          {words.clear}
        </button>
      )}
    </section>
  )
}

/** Announces, visibly and to screen readers, that a download has finished or failed. */
function useEndings(downloads: Download[]): void {
  const before = useRef(new Map<string, Download['status']>())
  useEffect(() => {
    const { models: words } = strings.value
    for (const { file, name, status } of downloads) {
      const was = before.current.get(file)
      if (was === status || was === undefined) continue
      if (status === 'complete') note(filled(words.done, { name: modelName(name) }))
      if (status === 'error') announce(filled(words.failed, { name: modelName(name) }))
    }
    before.current = new Map(downloads.map(({ file, status }) => [file, status]))
  }, [downloads])
}

const OneDownload = ({ download, reload }: { download: Download; reload: () => Promise<void> }) => {
  const { models: words } = strings.value
  const { name, status, current, total, error } = download
  const shown = modelName(name)
  const retry = async () => {
    await startDownload(name)
    await reload()
  }
  const cancel = async () => {
    if (await cancelDownload(name)) note(filled(words.canceled, { name: shown }))
    await reload()
  }
  return (
    <li class="card">
      <p>
        <strong>{shown}</strong>
      </p>
      {status === 'error' ? (
        <p class="fault">
          {filled(words.failed, { name: shown })} {error}
        </p>
      ) : (
        <>
          <progress
            aria-label={shown}
            {...(total !== null && status !== 'verifying' && { max: total, value: current })}
          />
          <p class="muted">{status === 'verifying' ? words.verifying : progressWords(download)}</p>
        </>
      )}
      <div class="row">
        {status === 'error' && (
          <button type="button" onClick={() => void retry()}>
            {words.retry}
          </button>
        )}
        {status === 'downloading' && (
          <button
            type="button"
            aria-label={filled(words.cancelNamed, { name: shown })}
            onClick={() => void cancel()}
          >
            {words.cancel}
          </button>
        )}
      </div>
    </li>
  )
}

const MB = 1_000_000

/** 95 MB of 190 MB · 50 % · 4.2 MB/s · 23 s left */
function progressWords({ current, total, bytesPerSecond }: Download): string {
  const { models: words } = strings.value
  const said = [megabytes(current / MB)]
  if (total !== null) {
    said[0] = filled(words.of, { current: megabytes(current / MB), total: megabytes(total / MB) })
    said.push(percentage(Math.floor((current / total) * 100)))
  }
  if (bytesPerSecond !== null) {
    said.push(filled(words.perSecond, { pace: megabytes(bytesPerSecond / MB) }))
    if (total !== null)
      said.push(filled(words.left, { time: timeSpan(Math.ceil((total - current) / bytesPerSecond)) }))
  }
  return said.join(' · ')
}

// Uploads existing recordings and shows the state of each.

import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { timeSpan } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { announce } from '../parts/toasts.tsx'
import { counted, filled, strings } from '../strings/strings.ts'
import { DownloadFiles } from './download-files.tsx'
import { FileChoices } from './file-choices.tsx'
import { addFiles, type FileState, fileQueue, forgetOver, isFileOver, type QueuedFile } from './file-queue.ts'
import { QueuedFileRow } from './file-row.tsx'
import { msLeft, msLeftOfAll, useNow } from './time-left.ts'

/**
 * For the browser's file dialog; the server goes by content. Systems classify many of these as neither audio nor video.
 */
const ACCEPTED_FILES =
  'audio/*,video/*,.ogg,.oga,.opus,.spx,.flac,.m4a,.qta,.aac,.caf,.aiff,.au,.mka,.mkv,.weba,.wma,.amr,.3gp,.3ga,' +
  '.ac3,.eac3,.dts,.dss,.voc,.gsm,.sph,.nist,.ra,.rm,.tta,.wv,.ape,.mpc,.tak,.shn,.dsf,.dff,.w64,.mxf,.flv'

export const FilesView = () => {
  const input = useRef<HTMLInputElement>(null)
  const { files, views } = strings.value
  const all = fileQueue.value
  return (
    <>
      <Heading text={views.files} />
      <section class="dropzone" aria-label={files.add}>
        <Icon name="files" size={40} />
        <p>{files.dropOrChoose}</p>
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          {files.choose}
        </button>
        <input
          ref={input}
          type="file"
          multiple
          accept={ACCEPTED_FILES}
          hidden
          onChange={({ currentTarget }) => {
            addFiles(currentTarget.files ?? [])
            // So that the same file can be chosen again.
            currentTarget.value = ''
          }}
        />
        <FileChoices />
        <p class="muted small">{files.stays}</p>
      </section>
      {all.length > 0 && <Summary />}
      <ul class="plainlist stack" aria-label={files.queue}>
        {all.map((one) => (
          <QueuedFileRow key={one.key} one={one} />
        ))}
      </ul>
    </>
  )
}

/** "3 of 5 done, 1 failed"; "4 done, 1 failed" when all have ended. */
function sumsOf(all: readonly QueuedFile[]): string {
  const { files } = strings.value
  const sum = (state: FileState) => all.filter((one) => one.state === state).length
  const done = filled(all.every(isFileOver) ? files.done : files.doneOf, {
    n: sum('completed'),
    all: all.length,
  })
  const others = (['failed', 'cancelled'] as const).filter((state) => sum(state) > 0)
  return [done, ...others.map((state) => filled(files[state], { n: sum(state) }))].join(', ')
}

const Summary = () => {
  const { files } = strings.value
  const now = useNow()
  const all = fileQueue.value
  const over = all.filter(isFileOver).length
  const withText = all.flatMap(({ state, captureId }) =>
    state === 'completed' && captureId ? captureId : [],
  )
  const left = msLeftOfAll(
    all.map((one) => {
      const elapsed = one.beganAt === null ? null : now - one.beganAt
      const rest = elapsed === null || isFileOver(one) ? null : msLeft(one.progress, elapsed)
      const doneMs = one.tookMs ?? (rest === null ? null : elapsed! + rest)
      return { bytes: one.file.size, isOver: isFileOver(one), doneMs, msLeft: rest }
    }),
  )
  useSignalEffect(() => {
    const { length } = fileQueue.value
    if (length > 0 && fileQueue.value.every(isFileOver))
      announce(
        fileQueue.value.every(({ state }) => state === 'completed')
          ? counted(length, strings.peek().files.allDone)
          : sumsOf(fileQueue.value),
      )
  })
  return (
    <div class="row filesums">
      <span>
        {sumsOf(all)}
        {left !== null && ` · ${filled(files.left, { time: timeSpan(Math.ceil(left / 1000)) })}`}
      </span>
      {withText.length > 0 && <DownloadFiles ids={withText} />}
      {over > 0 && (
        <button type="button" class="plain" onClick={forgetOver}>
          {files.forget}
        </button>
      )}
      {over > 0 && <a href={linkTo(['captures'])}>{files.toCaptures}</a>}
    </div>
  )
}

// The transcript: one block per segment. Words are highlighted as they are spoken, played on click, and edited in
// place.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { WordBar } from './add-to-dictionary.tsx'
import type { CaptureState } from './capture-state.ts'
import { storedDraft } from './drafts.ts'
import { Following, lightFound, offsetIn, PART, saidOf, unlightAll } from './follow-playback.tsx'
import type { Playback } from './playback.ts'
import { SegmentBlock } from './segment-block.tsx'
import {
  createTranscriptState,
  findSpoken,
  lastBegun,
  type TimedWord,
  type TranscriptState,
  timedWords,
  wordIndexOf,
} from './timed-words.ts'
import { UnsureWords } from './unsure-words.tsx'

type Props = {
  capture: DetailedCapture
  state: CaptureState
  playback: Playback | null
  query: URLSearchParams
}

export const TranscriptBlocks = ({ capture, state, playback, query }: Props) => {
  const { segments } = capture
  const list = useRef<HTMLDivElement>(null)
  const words = useMemo(() => timedWords(segments), [segments])
  const shared = useMemo(() => createTranscriptState(capture.id), [capture.id])
  const blocks = useMemo(
    () =>
      segments.map((segment) => (
        <SegmentBlock
          key={segment.id}
          segment={segment}
          shared={shared}
          isLast={segment.id === segments.length - 1}
          onPlay={(seconds) => {
            playback?.seek(seconds)
            playback?.play()
          }}
          onSaved={(changed) => {
            state.capture.value = changed
          }}
        />
      )),
    [segments, shared, playback, state],
  )
  const parts = Array.from({ length: Math.ceil(blocks.length / PART) }, (_, part) =>
    blocks.slice(part * PART, (part + 1) * PART),
  )
  usePlace({ capture, list, playback, query })
  useEffect(() => {
    const draft = storedDraft(capture.id, segments)
    if (draft !== null) shared.editing.value = { segment: draft, from: 0, to: 0 }
    return unlightAll
  }, [shared])
  useClicks({ words, playback, shared })
  const { capture: text } = strings.value
  if (segments.length === 0) {
    return capture.status === 'completed' && capture.error === null ? <p>{text.silent}</p> : null
  }
  return (
    <section aria-label={text.transcript}>
      <div class="row transcripthead">
        <h2>{text.transcript}</h2>
        <UnsureWords words={words} segments={segments} list={list} playback={playback} shared={shared} />
      </div>
      <p class="muted small">{text.transcriptHelp}</p>
      <div ref={list} class="transcript" lang={capture.detected_language ?? undefined}>
        {parts.map((blocks, part) => (
          <ol key={part} class="plainlist" start={part * PART + 1}>
            {blocks}
          </ol>
        ))}
      </div>
      <WordBar capture={capture} list={list} />
      {playback && <Following list={list} words={words} playback={playback} segments={segments} />}
    </section>
  )
}

type ListRef = { current: HTMLElement | null }

/** Scrolls to the time in the address, or to the first match of the search. */
function usePlace({ capture, list, playback, query }: Omit<Props, 'state'> & { list: ListRef }): void {
  const at = query.get('at')
  const searched = query.get('q') ?? ''
  useEffect(() => {
    const seconds = at === null ? findSpoken(capture.segments, searched) : Number(at)
    if (seconds === null || !Number.isFinite(seconds)) return
    playback?.seek(seconds)
    const segment = Math.max(lastBegun(capture.segments, seconds), 0)
    if (list.current) saidOf(list.current, segment)?.scrollIntoView({ block: 'center' })
  }, [at, searched, playback])
  useEffect(() => {
    if (!list.current || searched === '') return
    lightFound(
      list.current,
      capture.segments.map(({ text }) => text),
      searched,
    )
  }, [searched, capture.segments])
}

type Clicks = {
  words: readonly TimedWord[]
  playback: Playback | null
  shared: TranscriptState
}

/** Pointer only: by keyboard, the buttons of a block do the same. */
function useClicks({ words, playback, shared }: Clicks): void {
  useEffect(() => {
    const placeOf = ({ target, clientX, clientY }: MouseEvent) => {
      const said = target instanceof Element ? target.closest('.transcript .said') : null
      const block = said?.closest('li')
      const offset = said ? offsetIn(said, clientX, clientY) : null
      if (!said || !block || offset === null) return null
      return { segment: Number(block.dataset.segment), offset }
    }
    const onClick = (event: MouseEvent) => {
      // A selection or a double click refers to the text, not to the audio.
      if (event.detail > 1 || !getSelection()?.isCollapsed) return
      const place = placeOf(event)
      const word = place && words[wordIndexOf(words, place.segment, place.offset)]
      if (!word || !playback) return
      playback.seek(word.start)
      playback.play()
    }
    const onDoubleClick = (event: MouseEvent) => {
      const place = placeOf(event)
      if (!place) return
      shared.editing.value = { segment: place.segment, from: place.offset, to: place.offset }
    }
    const view = document.getElementById('view')!
    view.addEventListener('click', onClick)
    view.addEventListener('dblclick', onDoubleClick)
    return () => {
      view.removeEventListener('click', onClick)
      view.removeEventListener('dblclick', onDoubleClick)
    }
  }, [words, playback, shared])
}

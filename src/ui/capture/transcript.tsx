// The transcript in paragraphs. Words are highlighted as they are spoken, played on click, and edited in place.

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { pointer } from '../parts/pointer.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'
import { storedDraft } from './drafts.ts'
import { Following, lightFound, pieceOf, spotAtPoint, unlightAll } from './follow-playback.tsx'
import { OlderRecordings } from './older-recordings.tsx'
import { ParagraphBlock } from './paragraph-block.tsx'
import { paragraphsOf } from './paragraphs.ts'
import type { Playback } from './playback.ts'
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
import { WordBar } from './word-bar.tsx'

/**
 * Paragraphs per `content-visibility` part. The browser checks each part on every frame; with one part per paragraph,
 * thousands of them use up the frame's time.
 */
const PART = 20

type Props = {
  capture: DetailedCapture
  state: CaptureState
  playback: Playback | null
  query: URLSearchParams
  /** shown in front of the tools of the text */
  children: ComponentChildren
}

export const TranscriptBlocks = ({ capture, state, playback, query, children }: Props) => {
  const { segments } = capture
  const list = useRef<HTMLDivElement>(null)
  const words = useMemo(() => timedWords(segments), [segments])
  const shared = useMemo(() => createTranscriptState(capture.id), [capture.id])
  const blocks = useMemo(
    () =>
      paragraphsOf(segments, words).map((paragraph) => (
        <ParagraphBlock
          key={`${paragraph.pieces[0]!.segment}:${paragraph.pieces[0]!.from}`}
          paragraph={paragraph}
          segments={segments}
          shared={shared}
          onPlay={(seconds) => {
            playback?.seek(seconds)
            playback?.play()
          }}
          onSaved={(changed) => {
            state.capture.value = changed
          }}
        />
      )),
    [segments, words, shared, playback, state],
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
    <section class="textpart" aria-label={text.transcript}>
      <h2 class="unseen">{text.transcript}</h2>
      <div class="row texthead">
        {children}
        <UnsureWords words={words} segments={segments} list={list} playback={playback} shared={shared} />
      </div>
      <div ref={list} class="transcript" lang={capture.detected_language ?? undefined}>
        {parts.map((blocks, part) => (
          <ol key={part} class="plainlist" start={part * PART + 1}>
            {blocks}
          </ol>
        ))}
      </div>
      <p class="muted small texthelp">{text.transcriptHelp[pointer.value]}</p>
      <WordBar capture={capture} list={list} words={words} playback={playback} shared={shared} />
      <OlderRecordings />
      {playback && <Following list={list} words={words} playback={playback} segments={segments} />}
    </section>
  )
}

type ListRef = { current: HTMLElement | null }

/** Scrolls to the time in the address, or to the first match of the search. */
function usePlace({
  capture,
  list,
  playback,
  query,
}: Omit<Props, 'state' | 'children'> & { list: ListRef }): void {
  const at = query.get('at')
  const searched = query.get('q') ?? ''
  useEffect(() => {
    const seconds = at === null ? findSpoken(capture.segments, searched) : Number(at)
    if (seconds === null || !Number.isFinite(seconds)) return
    playback?.seek(seconds)
    const segment = Math.max(lastBegun(capture.segments, seconds), 0)
    if (list.current) pieceOf(list.current, segment)?.scrollIntoView({ block: 'center' })
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
    const placeOf = ({ target, clientX, clientY }: MouseEvent) =>
      target instanceof Element && target.closest('.transcript .said') ? spotAtPoint(clientX, clientY) : null
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

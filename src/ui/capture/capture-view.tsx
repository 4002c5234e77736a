import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Address, linkTo } from '../address.ts'
import { TagLinks } from '../captures/tags.tsx'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { Refused, Unreachable } from '../server/request.ts'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { Actions } from './actions.tsx'
import { type CaptureState, useCaptureState } from './capture-state.ts'
import { Facts } from './facts.tsx'
import { InTrash } from './in-trash.tsx'
import { audioUrl, createPlayback, type Playback, playerKey } from './playback.ts'
import { Player } from './player.tsx'
import { ShownText, useShownText } from './shown-text.tsx'
import { TitleField } from './title-field.tsx'
import { OpenTool, type ToolName } from './tools.tsx'
import { WhatFailed, WorkUnderWay } from './work.tsx'

export const CaptureView = ({ address }: { address: Address }) => {
  const id = address.path[1]!
  return <OneCapture key={id} id={id} query={address.query} />
}

const OneCapture = ({ id, query }: { id: string; query: URLSearchParams }) => {
  const state = useCaptureState(id)
  const capture = state.capture.value
  if (capture !== null) return <Shown capture={capture} state={state} query={query} />
  const fault = state.fault.value
  if (fault === null) return <p class="muted">{strings.value.shell.loading}</p>
  return <NotThere fault={fault} onRetry={() => void state.load()} />
}

const NotThere = ({ fault, onRetry }: { fault: Error; onRetry: () => void }) => {
  const { capture: text, captures } = strings.value
  const isGone = fault instanceof Refused && (fault.problem.status === 404 || fault.problem.status === 422)
  return (
    <>
      <Heading text={isGone ? text.notThere : strings.value.views.capture} />
      <p>
        {isGone ? text.notThereHelp : fault instanceof Unreachable ? captures.unreachable : fault.message}
      </p>
      <div class="row">
        <a class="button" href={linkTo(['captures'])}>
          {text.all}
        </a>
        {!isGone && (
          <button type="button" onClick={onRetry}>
            {captures.retry}
          </button>
        )}
      </div>
    </>
  )
}

type ShownProps = { capture: DetailedCapture; state: CaptureState; query: URLSearchParams }

const Shown = ({ capture, state, query }: ShownProps) => {
  const playback = usePlayback(capture)
  const shown = useShownText(capture, query)
  const [tool, open] = useState<ToolName | null>(null)
  const text = strings.value.capture
  return (
    <div class="capture">
      <div class="capturehead">
        <a
          class="button quiet icon"
          href={linkTo(['captures'], { q: query.get('q') })}
          title={text.all}
          aria-label={text.all}
        >
          <Icon name="back" />
        </a>
        <TitleField capture={capture} state={state} />
        <Actions capture={capture} state={state} shown={shown} open={open} />
      </div>
      <div class="row factsrow">
        <Facts capture={capture} />
        <TagLinks capture={capture} />
      </div>
      <InTrash capture={capture} state={state} />
      <WorkUnderWay state={state} />
      <WhatFailed capture={capture} state={state} />
      {playback && capture.duration_ms !== null && (
        <Player id={capture.id} playback={playback} durationSeconds={capture.duration_ms / 1000} />
      )}
      {!capture.audio_available && <p class="card">{text.audioGone}</p>}
      {tool && <OpenTool name={tool} capture={capture} state={state} onDone={() => open(null)} />}
      <ShownText
        capture={capture}
        shown={shown}
        state={state}
        playback={playback}
        query={query}
        onRefine={() => open('refine')}
      />
    </div>
  )
}

/** Null if there is no audio or it is not decoded yet. */
function usePlayback({ id, audio_available, audio_type, duration_ms }: DetailedCapture): Playback | null {
  const playback = useMemo(
    () =>
      audio_available && duration_ms !== null
        ? createPlayback(audioUrl({ id, audio_type }), duration_ms / 1000)
        : null,
    [id, audio_available, audio_type, duration_ms],
  )
  useEffect(() => {
    if (playback === null) return
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented) playerKey(event, playback)
    }
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onKey)
      playback.close()
    }
  }, [playback])
  return playback
}

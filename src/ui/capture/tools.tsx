// The tools of a capture (compare, retranscribe, refine). The menu opens one at a time, between the player and the text.

import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../parts/icons.tsx'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { Compare } from './compare.tsx'
import { Refine } from './refine.tsx'
import { Retranscribe } from './retranscribe.tsx'
import type { ToolProps } from './shown-text.tsx'

export type ToolName = keyof typeof strings.value.capture.tools

export const TOOL_ICONS: Record<ToolName, IconName> = {
  compare: 'compare',
  retranscribe: 'again',
  refine: 'wand',
}

const TOOLS: Record<ToolName, ComponentType<ToolProps>> = {
  compare: Compare,
  retranscribe: Retranscribe,
  refine: Refine,
}

/** Leaves out tools whose request the server would reject. */
export function toolsFor(capture: DetailedCapture): ToolName[] {
  const hasText = capture.text !== ''
  const isInUse = capture.trashed_at === null
  const all: [ToolName, boolean][] = [
    ['compare', hasText],
    ['retranscribe', isInUse && capture.audio_available],
    ['refine', isInUse && hasText],
  ]
  return all.flatMap(([name, isGiven]) => (isGiven ? [name] : []))
}

type Props = ToolProps & { name: ToolName }

export const OpenTool = ({ name, capture, state, onDone }: Props) => {
  const panel = useRef<HTMLElement>(null)
  const { capture: text, keys } = strings.value
  useEffect(() => panel.current?.focus(), [name])
  if (!toolsFor(capture).includes(name)) return null
  const Tool = TOOLS[name]
  return (
    <section ref={panel} class="card tools" aria-label={text.tools[name]} tabIndex={-1}>
      <div class="row between">
        <h2>{text.tools[name]}</h2>
        <button type="button" class="quiet icon" title={keys.close} aria-label={keys.close} onClick={onDone}>
          <Icon name="close" />
        </button>
      </div>
      <Tool capture={capture} state={state} onDone={onDone} />
    </section>
  )
}

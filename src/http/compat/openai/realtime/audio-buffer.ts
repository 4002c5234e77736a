// A buffer of session audio with the same settings, and its items: one per utterance, or one for all without turn detection.

import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveEvent } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import type { Result } from '../../../../lib/result.ts'
import type { Conversation } from './conversation.ts'
import { createItem, type Item } from './item.ts'
import { type AudioStream, type AudioStreamRequest, createAudioStream } from './stream.ts'

export type InputAudioBuffer = Pick<AudioStream, 'push' | 'heldMs' | 'finish' | 'ended'> & {
  /** the item that collects all utterances; null if each utterance has its own */
  collected(): Item | null
  /** collects everything from here on in one item, including the current utterance */
  collect(): Item
  /** items that are already committed are still reported; everything else is discarded */
  drop(): void
  /** discards everything immediately */
  abandon(): void
  /** the items with events still to come, without dropped ones */
  openItems(): Item[]
}

type Options = Omit<AudioStreamRequest, 'onEvent'> & {
  conversation: Conversation
  /** its start in the session */
  fromMs: number
  /** collects all utterances */
  collects: Item | null
  /** an utterance became an item that ends at this time */
  onCommitted: (atMs: number) => void
  log: Log
}

/** Together with its number, it identifies an utterance within a session. */
let count = 0

export function createInputAudioBuffer(options: Options): InputAudioBuffer {
  const { conversation, fromMs, onCommitted, log } = options
  const own = ++count
  const items = new Map<number, Item>()
  let { collects } = options
  let speaking: number | null = null
  let isDropped = false

  const itemOf = (utterance: number): Item => {
    const item = items.get(utterance) ?? collects ?? createItem()
    items.set(utterance, item)
    return item
  }
  const isTold = (item: Item) => item.state === 'committed' || (item.state === 'open' && !isDropped)
  const openItems = () => [...new Set([...items.values(), ...(collects ? [collects] : [])])].filter(isTold)

  const handle = (event: LiveEvent) => {
    if (event.kind === 'warning') return log.info({ code: event.code }, event.message)
    const item = itemOf(event.utterance)
    if (!isTold(item)) return
    const utterance = `${own}:${event.utterance}`
    const isAlone = item !== collects
    switch (event.kind) {
      case 'speech_started':
        speaking = event.utterance
        if (isAlone) conversation.started(item, fromMs + event.atMs)
        return
      case 'speech_stopped':
        speaking = null
        if (!isAlone) return
        conversation.stopped(item, fromMs + event.atMs)
        conversation.commit(item)
        return onCommitted(fromMs + event.atMs)
      case 'confirmed':
        return conversation.confirm(item, utterance, event.text)
      case 'partial':
        return conversation.showPartial(item, event.text)
      case 'final':
        conversation.write(item, utterance, event)
        if (isAlone) {
          conversation.conclude(item)
          // Completed items are removed, so that a session that is open all day does not grow.
          items.delete(event.utterance)
        }
        if (isDropped) abandonIfTold()
    }
  }

  const stream = createAudioStream({ ...options, onEvent: handle })
  const abandonIfTold = () => {
    if (openItems().length === 0) stream.abandon()
  }
  return {
    push: stream.push,
    heldMs: stream.heldMs,
    finish: stream.finish,
    abandon: stream.abandon,
    ended: stream.ended as Promise<Result<null, DictationFailure>>,
    collected: () => collects,
    collect() {
      collects ??= (speaking === null ? undefined : items.get(speaking)) ?? createItem()
      return collects
    },
    drop() {
      isDropped = true
      abandonIfTold()
    },
    openItems,
  }
}

// A stretch of a realtime session's audio that is heard with the same settings, and the items that are made of it: one
// for each utterance, or one for all, where only who speaks says where it ends. What is told of them is conversation.ts's.

import type { DictationFailure } from '../../../../dictation/choose-model.ts'
import type { LiveEvent } from '../../../../dictation/live-dictation.ts'
import type { Log } from '../../../../lib/log.ts'
import type { Result } from '../../../../lib/result.ts'
import type { Conversation } from './conversation.ts'
import { createHearing, type HearingRequest, type StretchHearing } from './hearing.ts'
import { createItem, type Item } from './item.ts'

export type Stretch = Pick<StretchHearing, 'push' | 'heldMs' | 'finish' | 'ended'> & {
  /** takes all that has no item of its own; null where each utterance has one */
  collected(): Item | null
  /** all that is said from here on is one item, with the utterance that is being spoken */
  collect(): Item
  /** what of it has an item already is still told; of the rest nothing is */
  drop(): void
  /** at once */
  abandon(): void
  /** of which more was to be told; those that were dropped are not among them */
  openItems(): Item[]
}

type Options = Omit<HearingRequest, 'onEvent'> & {
  conversation: Conversation
  /** where in the session it begins */
  fromMs: number
  /** takes all that is said */
  collects: Item | null
  /** an utterance became an item, which ends there */
  onCommitted: (atMs: number) => void
  log: Log
}

/** Utterances of a session are told apart by it and their number. */
let count = 0

export function createStretch(options: Options): Stretch {
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

  const hear = (event: LiveEvent) => {
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
          // A session that is open all day holds only the items that are not completed.
          items.delete(event.utterance)
        }
        if (isDropped) abandonIfTold()
    }
  }

  const hearing = createHearing({ ...options, onEvent: hear })
  const abandonIfTold = () => {
    if (openItems().length === 0) hearing.abandon()
  }
  return {
    push: hearing.push,
    heldMs: hearing.heldMs,
    finish: hearing.finish,
    abandon: hearing.abandon,
    ended: hearing.ended as Promise<Result<null, DictationFailure>>,
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

// Tags of captures: their text, their limits, and how a change of them is applied. Spellings that differ only in case,
// accents or white space are the same tag.

import { foldedName } from '../text/fold.ts'

export const MAX_TAGS = 20
export const MAX_TAG_LENGTH = 50

/** Replaces the tags if `tags` is given, then removes and adds some. */
export type TagChange = {
  tags?: string[] | undefined
  addTags?: string[] | undefined
  removeTags?: string[] | undefined
}

/** Some characters fold to several; an index entry may have 2700 bytes. */
const MAX_KEY_LENGTH = 400

/** The form in which tags are compared. */
export const tagKey = (tag: string): string => foldedName(tag).slice(0, MAX_KEY_LENGTH).toWellFormed()

/** Null if it can be a tag. Commas separate tags where users type several. */
export function tagFault(tag: string): string | null {
  if (tagKey(tag) === '') return 'must not be empty'
  return /[,\p{Cc}]/u.test(tag) ? 'must not contain a comma or a control character' : null
}

const tagText = (tag: string): string => tag.normalize('NFC').replace(/\s+/g, ' ').trim()

/** A tag that is there already keeps its spelling. */
export function changedTags(former: readonly string[], { tags, addTags, removeTags }: TagChange): string[] {
  const removed = new Set(removeTags?.map(tagKey))
  const wanted = [...(tags ?? former).filter((tag) => !removed.has(tagKey(tag))), ...(addTags ?? [])]
  const byKey = new Map<string, string>()
  for (const tag of wanted) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tagText(tag))
  return [...byKey.values()]
}

export type UsedTag = { tag: string; captures: number }

/** Joins the spellings of each tag under the most frequent one; most used first. */
export function usedTags(spellings: readonly UsedTag[]): UsedTag[] {
  const byUse = (one: UsedTag, other: UsedTag) =>
    other.captures - one.captures || (one.tag < other.tag ? -1 : 1)
  return [...Map.groupBy(spellings, ({ tag }) => tagKey(tag)).values()]
    .map((same) => ({
      tag: same.toSorted(byUse)[0]!.tag,
      captures: same.reduce((sum, { captures }) => sum + captures, 0),
    }))
    .sort(byUse)
}

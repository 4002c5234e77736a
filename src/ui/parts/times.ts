// Formats positions in a recording and moments in the language of the page.

import { momentFormat } from './formats.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** A position in a recording or its length: `0:07`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** "Today" and "yesterday" only if the language has a word for the day. */
export function momentText(iso: string, now = new Date()): string {
  const moment = new Date(iso)
  const isToday = moment.toDateString() === now.toDateString()
  const isThisYear = moment.getFullYear() === now.getFullYear()
  return momentFormat({
    ...(!isToday && { day: 'numeric', month: 'short' }),
    ...(!isThisYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(moment)
}

export const wholeMomentText = (iso: string): string =>
  momentFormat({ dateStyle: 'full', timeStyle: 'short' }).format(new Date(iso))

// Parses SubRip and WebVTT as a player does: cues between empty lines.

export type Cue = { start: number; end: number; lines: string[] }

const seconds = (clock: string): number =>
  clock.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0)

export const cuesOf = (file: string): Cue[] =>
  [...file.matchAll(/^(\S+) --> (\S+)\n((?:.+\n)+)/gm)].map(([, start, end, text]) => ({
    start: seconds(start!),
    end: seconds(end!),
    lines: text!.trimEnd().split('\n'),
  }))

// Commands that press keys or insert a line break: they need no text, and the client presses the keys.
// `mod` is Ctrl, or ⌘ on a Mac; key names are lowercase, joined by `+`.

import type { ActionRule, InsertRule } from './rule.ts'
import { timesOf } from './spoken-values.ts'

const MAX_REPEATS = 50

/** A key that can be repeated: "press tab", "press enter twice", "press down 3 times". */
const pressed = (key: string, spoken = key): ActionRule => ({
  ...{ kind: 'action', name: `press ${key}`, example: `press ${key}` },
  description: `Presses ${key}, once or as many times as you say.`,
  patterns: [`(press|hit|push|tap) [the] (${spoken}) [key] [{times}]`, `(${spoken}) key`],
  keys: ({ times }) => {
    const length = Math.min(Math.max(timesOf(times), 1), MAX_REPEATS)
    return Array.from({ length }, () => key)
  },
})

const chord = (name: string, key: string, description: string, patterns: string[]): ActionRule => ({
  ...{ kind: 'action', name, example: name, description, patterns },
  keys: () => [key],
})

const inserted = (name: string, text: string, description: string, patterns: string[]): InsertRule => ({
  ...{ kind: 'insert', name, example: name, description, patterns, inserted: text },
})

export const PRESS_RULES = [
  pressed('enter', 'enter|return'),
  pressed('tab'),
  pressed('escape', 'escape|esc'),
  pressed('space', 'space|space~bar'),
  pressed('backspace', 'back~space'),
  pressed('delete'),
  pressed('up', 'up|up arrow|arrow up'),
  pressed('down', 'down|down arrow|arrow down'),
  pressed('left', 'left|left arrow|arrow left'),
  pressed('right', 'right|right arrow|arrow right'),
  chord('undo', 'mod+z', 'Undoes the last change.', [
    'undo (that|it|this|last|the last [(change|action|step|edit)]|my last change)',
    '(take that back|revert (that|it|the last change))',
  ]),
  chord('redo', 'mod+shift+z', 'Repeats the change that was undone.', [
    'redo (that|it|this|the last [(change|action|step|edit)])',
  ]),
  chord('select all', 'mod+a', 'Selects the whole text.', [
    '(select|highlight) (everything|all|all of it|all of this|all [the] text|the (whole|entire) text)',
  ]),
  chord('copy', 'mod+c', 'Copies the selection.', [
    'copy [(that|this|it|[the] selection|the text|[the] selected text)] [to [the|my] clipboard]',
  ]),
  chord('paste', 'mod+v', 'Pastes the clipboard.', [
    'paste (that|this|it|here|the clipboard|from [the|my] clipboard|it here|that here)',
  ]),
  chord('cut', 'mod+x', 'Cuts the selection.', [
    'cut (that|this|it|[the] selection|the text|the selected text) [out]',
  ]),
  chord('delete that', 'backspace', 'Deletes the selection, or the character before the cursor.', [
    '(delete|scratch|erase|remove|clear) (that|this|it|[the] selection|the selected text)',
    'never mind that',
  ]),
  chord('go to the end of the line', 'end', 'Moves the cursor to the end of the line.', [
    '(go|move|jump) to [the] end of [the|this] line',
  ]),
  chord('go to the start of the line', 'home', 'Moves the cursor to the start of the line.', [
    '(go|move|jump) to [the] (start|beginning) of [the|this] line',
  ]),
  inserted('new line', '\n', 'Starts a new line.', [
    '[(insert|add|start|begin|make|type|put)] [a|in a|on a] (new~line|line break|next line)',
    'go to [a|the] (new~line|next line)',
  ]),
  inserted('new paragraph', '\n\n', 'Starts a new paragraph.', [
    '[(insert|add|start|begin|make|type)] [a] (new paragraph|paragraph break|next paragraph)',
  ]),
]

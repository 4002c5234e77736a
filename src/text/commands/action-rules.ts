// Commands that press keys or insert a line break: they need no text, and the client presses the keys.
// `mod` is Ctrl, or ⌘ on a Mac; key names are lowercase, joined by `+`.

import { timesOf } from './numerals.ts'
import type { Params } from './pattern.ts'
import type { ActionRule, InsertRule } from './rule.ts'

const MAX_REPEATS = 50

const repeatsOf = ({ times }: Params): number => Math.min(Math.max(timesOf(times), 1), MAX_REPEATS)

/** A key that can be repeated: "press tab", "press enter twice", "press down 3 times". */
function pressed(name: string, key: string, spoken: string): ActionRule {
  const press = `(press|hit|push|tap) [the] (${spoken}) [key]`
  return {
    kind: 'action',
    name,
    description: `Presses ${key}, once or as often as is said.`,
    example: name,
    patterns: [`${press} [{times}]`, `(${spoken}) key`],
    keys: (params) => Array.from({ length: repeatsOf(params) }, () => key),
  }
}

const PRESSED: ActionRule[] = [
  pressed('press enter', 'enter', 'enter|return'),
  pressed('press tab', 'tab', 'tab'),
  pressed('press escape', 'escape', 'escape|esc'),
  pressed('press space', 'space', 'space|space~bar'),
  pressed('press backspace', 'backspace', 'back~space'),
  pressed('press delete', 'delete', 'delete'),
  pressed('press up', 'up', 'up|up arrow|arrow up'),
  pressed('press down', 'down', 'down|down arrow|arrow down'),
  pressed('press left', 'left', 'left|left arrow|arrow left'),
  pressed('press right', 'right', 'right|right arrow|arrow right'),
  pressed('press home', 'home', 'home'),
  pressed('press end', 'end', 'end'),
  pressed('press page up', 'page_up', 'page up'),
  pressed('press page down', 'page_down', 'page down'),
  pressed('press shift tab', 'shift+tab', 'shift tab'),
]

function chord(name: string, key: string, description: string, patterns: string[]): ActionRule {
  return {
    kind: 'action',
    name,
    description,
    example: name,
    patterns: [name, ...patterns],
    keys: () => [key],
  }
}

const CHORDS: ActionRule[] = [
  chord('undo', 'mod+z', 'Takes the last change back.', [
    'undo (that|it|this|last|the last [(change|action|step|edit)]|my last change)',
    'take that back',
    'revert (that|it|the last change)',
  ]),
  chord('redo', 'mod+shift+z', 'Makes the change again that was taken back.', [
    'redo (that|it|this|the last [(change|action|step|edit)])',
  ]),
  chord('select all', 'mod+a', 'Selects everything.', [
    'select (everything|all of it|all of this|all the text|all text|the whole text|the entire text)',
    'highlight (everything|all|all the text)',
  ]),
  chord('copy', 'mod+c', 'Copies the selection.', [
    'copy (that|this|it|the selection|the text|the selected text|selected text|selection) [to [the|my] clipboard]',
    'copy to [the|my] clipboard',
  ]),
  chord('paste', 'mod+v', 'Inserts the clipboard.', [
    'paste (that|this|it|here|the clipboard|from [the|my] clipboard|it here|that here)',
  ]),
  chord('cut', 'mod+x', 'Cuts the selection out.', [
    'cut (that|this|it|the selection|the text|the selected text|selection) [out]',
  ]),
  chord('delete that', 'backspace', 'Deletes the selection, or the sign before the cursor.', [
    '(delete|scratch|erase|remove|clear) (that|this|it|the selection|selection|the selected text)',
    'scratch that',
    'never mind that',
  ]),
  chord('go to the end of the line', 'end', 'Moves the cursor to the end of the line.', [
    '(go|move|jump) to [the] end of [the|this] line',
  ]),
  chord('go to the start of the line', 'home', 'Moves the cursor to the start of the line.', [
    '(go|move|jump) to [the] (start|beginning) of [the|this] line',
  ]),
]

function inserted(name: string, text: string, description: string, patterns: string[]): InsertRule {
  return { kind: 'insert', name, description, example: name, patterns: [name, ...patterns], inserted: text }
}

const INSERTS: InsertRule[] = [
  inserted('new line', '\n', 'Begins a new line.', [
    '[(insert|add|start|begin|make|type|put)] [a|in a|on a] (new~line|line break|next line)',
    'go to [a|the] (new~line|next line)',
  ]),
  inserted('new paragraph', '\n\n', 'Begins a new paragraph.', [
    '[(insert|add|start|begin|make|type)] [a] (new paragraph|paragraph break|next paragraph)',
  ]),
  inserted('insert tab', '\t', 'Inserts a tab.', ['(insert|add|type) [a] tab [character]']),
  inserted('insert space', ' ', 'Inserts a space.', ['(insert|add|type) [a] space']),
]

export const ACTION_RULES = [...PRESSED, ...CHORDS, ...INSERTS]

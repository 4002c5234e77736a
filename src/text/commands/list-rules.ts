import {
  bulletList,
  checklist,
  linesToTable,
  listToSentence,
  numberedList,
  removeListMarkers,
  tickAll,
} from './lists.ts'
import { becoming, LINES, rule, type TransformRule } from './rule.ts'

export const LIST_RULES: TransformRule[] = [
  rule(
    'bullet list',
    'Every line an item with a hyphen; a text on one line its sentences, or what it enumerates.',
    [
      ...becoming('(bullet~point|bullet|bulleted|unordered|dashed|bullet~pointed) list'),
      ...becoming('(bullets|bullet~points|list|bulleted items)'),
      `add (bullets|bullet~points) [to ${LINES}]`,
      `bullet ${LINES}`,
      'list (this|these|it|them)',
    ],
    bulletList,
    'make that a bullet list',
  ),
  rule(
    'numbered list',
    'Every line an item with a number.',
    [
      ...becoming('(numbered|ordered|enumerated|number) list'),
      `number ${LINES}`,
      `add numbers [to ${LINES}]`,
      `enumerate ${LINES}`,
      ...becoming('numbered (points|items|steps)'),
    ],
    numberedList,
    'turn it into a numbered list',
  ),
  rule(
    'checklist',
    'Every line an item with a box to tick.',
    [
      ...becoming(
        '(check~list|to~do list|to-do list|task list|todo|to-dos|todos|check~boxes|tasks|tick list)',
      ),
      `add check~boxes [to ${LINES}]`,
    ],
    checklist,
    'make this a checklist',
  ),
  rule(
    'remove list markers',
    'Bullets, numbers and boxes go, the items stay.',
    [
      '<remove> [the|all|all the] (list markers|bullets|bullet~points|numbers from the list|list numbers|list numbering|numbering|check~boxes) [from <this>]',
      'un~bullet <this>',
      '<make> [<this>] <into> (plain lines|normal lines)',
    ],
    removeListMarkers,
  ),
  rule(
    'tick all',
    'Ticks every box.',
    [
      '(tick|check) (all|everything|all [of] (them|these|the boxes|boxes|items)|off everything|all the items|all off)',
      'mark (everything|all [of them]|all items) [as] (done|complete|completed)',
    ],
    tickAll,
  ),
  rule(
    'list to sentence',
    'Items become one line: a, b and c.',
    [
      '<make> [<this>] <into> [one|single] (sentence|comma~separated list|comma separated list|comma list|running text|inline list)',
      'list to sentence',
      `comma separate ${LINES}`,
    ],
    listToSentence,
    'turn the list into a sentence',
  ),
  rule(
    'table',
    'Rows of cells become a table in Markdown.',
    becoming('[markdown] table'),
    linesToTable,
    'make this a table',
  ),
]

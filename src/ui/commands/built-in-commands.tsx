// The built-in commands by group, with a filter over their names, descriptions and examples.

import { useState } from 'preact/hooks'
import { figure } from '../parts/formats.ts'
import { SearchField } from '../parts/search-field.tsx'
import type { ShownCommand } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type Offered = { commands: ShownCommand[]; tryOut: (instruction: string) => void }

export const BuiltInCommands = ({ commands, tryOut }: Offered) => {
  const { commands: words } = strings.value
  const [searched, search] = useState('')
  const wanted = searched.toLowerCase().split(/\s+/)
  const found = commands.filter(({ name, description, examples }) => {
    const text = [name, description, ...examples].join(' ').toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const groups = Map.groupBy(found, ({ group }) => group!)
  const take = (example: string) => {
    tryOut(example)
    document.getElementById('command-instruction')?.focus()
  }
  return (
    <section aria-labelledby="commands-built-in">
      <h2 id="commands-built-in">{filled(words.builtIn, { n: figure(commands.length) })}</h2>
      <SearchField label={words.search} value={searched} onWords={search} />
      {found.length === 0 && <p role="status">{words.nothingFound}</p>}
      {[...groups].map(([group, ofGroup]) => (
        <details key={`${group} ${searched.trim() !== ''}`} open={searched.trim() !== ''}>
          <summary>
            {words.groups[group]} <span class="muted">({figure(ofGroup.length)})</span>
          </summary>
          <ul class="plainlist lines">
            {ofGroup.map(({ name, description, examples }) => (
              <li key={name}>
                <div class="what">
                  <span class="word">{name}</span> <span class="muted small">{description}</span>
                </div>
                {examples.slice(0, 1).map((example) => (
                  <button key={example} type="button" class="plain" onClick={() => take(example)}>
                    {`“${example}”`}
                  </button>
                ))}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

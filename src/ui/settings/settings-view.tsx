// The settings, a section at a time, with a list of the sections at the side and a search in all of them.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Address, linkTo } from '../address.ts'
import { FirstStepsCard } from '../first-steps/first-steps-card.tsx'
import { Heading } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { LanguageChoice, ThemeChoice } from '../parts/page-choices.tsx'
import { loadInstalledModels } from '../parts/recognition-choices.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { request } from '../server/request.ts'
import type { ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { HealthCard } from './health-card.tsx'
import { SETTING_GROUPS, type SettingGroupName } from './setting-groups.ts'
import { type KnownSettings, SETTINGS_PATH, SettingSection, type SettingValues } from './setting-section.tsx'

const OWN_SECTIONS = ['page', 'steps', 'health'] as const

type Section = SettingGroupName | (typeof OWN_SECTIONS)[number]

const SECTIONS: readonly Section[] = [...SETTING_GROUPS.map(({ name }) => name), ...OWN_SECTIONS]

async function loadSettings(signal: AbortSignal): Promise<KnownSettings> {
  const [values, models, { items }] = await Promise.all([
    request<SettingValues>(SETTINGS_PATH, { signal }),
    loadInstalledModels(signal),
    request<ListOf<{ id: string; name: string }>>('/writing-styles', { signal }),
  ])
  return { values, models, styles: items }
}

export const SettingsView = ({ address }: { address: Address }) => {
  const known = useLoad(loadSettings)
  const [searched, search] = useState('')
  const { views } = strings.value
  const current = SECTIONS.find((name) => name === address.query.get('section')) ?? SECTIONS[0]!
  const isSearching = searched.trim() !== ''
  return (
    <>
      <Heading text={views.settings} />
      <div class="settings">
        <SectionList current={isSearching ? null : current} searched={searched} search={search} />
        <div class="stack">
          {isSearching ? (
            <Found known={known} words={searched} />
          ) : (
            <OneSection known={known} section={current} />
          )}
        </div>
      </div>
    </>
  )
}

type SectionListProps = { current: Section | null; searched: string; search: (words: string) => void }

const SectionList = ({ current, searched, search }: SectionListProps) => {
  const { settings: words } = strings.value
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <div ref={list} class="sections">
      <SearchField label={words.search} value={searched} onWords={search} />
      <nav aria-label={words.sections}>
        <ul class="plainlist">
          {SECTIONS.map((section) => (
            <li key={section}>
              <a
                href={linkTo(['settings'], { section })}
                aria-current={section === current ? 'true' : undefined}
                onClick={() => search('')}
              >
                {nameOf(section)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

function nameOf(section: Section): string {
  const { settings, firstSteps } = strings.value
  if (section === 'page') return settings.page
  if (section === 'steps') return firstSteps.title
  return section === 'health' ? settings.state : settings.groups[section]
}

type Loaded = { known: ReturnType<typeof useLoad<KnownSettings>> }

const OneSection = ({ known, section }: Loaded & { section: Section }) => {
  if (section === 'page') return <PageSection />
  if (section === 'steps') return <FirstStepsCard />
  if (section === 'health') return <HealthCard />
  return <Groups key={section} known={known} names={[section]} />
}

type GroupsProps = Loaded & {
  names: readonly Section[]
  /** the settings to show; by default all */
  only?: ReadonlySet<string>
}

const Groups = ({ known, names, only }: GroupsProps) => (
  <WhenLoaded of={known}>
    {(value) =>
      SETTING_GROUPS.filter(({ name }) => names.includes(name)).map((group) => (
        <SettingSection
          key={group.name}
          group={only ? { ...group, fields: group.fields.filter(({ name }) => only.has(name)) } : group}
          known={value}
          put={(values) => known.put({ ...value, values })}
        />
      ))
    }
  </WhenLoaded>
)

/** Settings whose name, help or section contains all the words, and links to other sections of that name. */
const Found = ({ known, words }: Loaded & { words: string }) => {
  const { settings } = strings.value
  const wanted = fold(words)
    .split(/\s+/)
    .filter((word) => word !== '')
  const matches = (...texts: string[]) => {
    const text = fold(texts.join(' '))
    return wanted.every((word) => text.includes(word))
  }
  const groups = SETTING_GROUPS.map(({ name, fields }) => ({
    name,
    fields: fields.filter((field) => {
      const { label, help } = settings.fields[field.name]
      return matches(settings.groups[name], label, help)
    }),
  })).filter(({ fields }) => fields.length > 0)
  const others = OWN_SECTIONS.filter((section) => matches(nameOf(section)))
  const only = new Set<string>(groups.flatMap(({ fields }) => fields.map(({ name }) => name)))
  return (
    <>
      {groups.length + others.length === 0 && <p role="status">{settings.nothingFound}</p>}
      {groups.length > 0 && <Groups known={known} names={groups.map(({ name }) => name)} only={only} />}
      {others.map((section) => (
        <OneSection key={section} known={known} section={section} />
      ))}
    </>
  )
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const PageSection = () => {
  const { settings: words } = strings.value
  return (
    <section class="card" aria-labelledby="settings-page">
      <h2 id="settings-page">{words.page}</h2>
      <p class="muted">{words.pageHelp}</p>
      <div class="fields">
        <ThemeChoice id="settings-theme" />
        <LanguageChoice id="settings-language" />
      </div>
    </section>
  )
}

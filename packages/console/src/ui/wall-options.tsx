import { Checkbox, Group, SegmentedControl, Stack } from '@mantine/core'
import { WALL_VIEWS } from '@narval/contracts'
import type { ReactNode } from 'react'
import { wallWords as words } from '../i18n/wall.ts'
import { WALL_SECONDS, type WallChoice } from '../lib/wall-choice.ts'

interface WallOptionsProps {
  readonly choice: WallChoice
  readonly onChange: (choice: WallChoice) => void
}

/** What a wall shows: its views, how long each page stays, its theme. */
export const WallOptions = ({ choice, onChange }: WallOptionsProps) => (
  <Stack gap="md">
    <Checkbox.Group
      label={words.views}
      value={[...choice.views]}
      onChange={chosen => onChange({ ...choice, views: WALL_VIEWS.filter(view => chosen.includes(view)) })}
      error={choice.views.length === 0 && words.oneView}
    >
      <Group mt={6} gap="md">
        {WALL_VIEWS.map(view => (
          <Checkbox key={view} value={view} label={words.viewNames[view]} />
        ))}
      </Group>
    </Checkbox.Group>
    <Group gap="xl">
      <Labelled label={words.every}>
        <SegmentedControl
          aria-label={words.every}
          value={String(choice.seconds)}
          onChange={value => onChange({ ...choice, seconds: Number(value) })}
          data={WALL_SECONDS.map(value => ({ value: String(value), label: words.seconds(value) }))}
        />
      </Labelled>
      <Labelled label={words.theme}>
        <SegmentedControl
          aria-label={words.theme}
          value={choice.theme}
          onChange={value => onChange({ ...choice, theme: value === 'light' ? 'light' : 'dark' })}
          data={(['dark', 'light'] as const).map(value => ({ value, label: words.themes[value] }))}
        />
      </Labelled>
    </Group>
  </Stack>
)

const Labelled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <div aria-hidden="true">{label}</div>
    {children}
  </div>
)

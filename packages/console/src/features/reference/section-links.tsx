import { NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Section } from './document.ts'
import { fr } from './fr.ts'
import classes from './section-links.module.css'

export const INTRODUCTION_ID = 'introduction'
const anchorOf = (section: Section): string => `section-${section.name}`

/** The controllers beside the page, with how many calls each has; the one in view is marked. */
export const SectionLinks = ({
  sections,
  withIntroduction,
}: {
  readonly sections: readonly Section[]
  readonly withIntroduction: boolean
}) => {
  const { search } = useLocation()
  const inView = useSectionInView(sections)
  return (
    <nav className={classes.links} aria-label={fr.controllers}>
      <p className={classes.title}>{fr.controllers}</p>
      <ul className={classes.list}>
        {withIntroduction && (
          <li>
            <Link className={classes.link} to={{ search, hash: INTRODUCTION_ID }}>
              <span className={classes.name}>{fr.introduction}</span>
            </Link>
          </li>
        )}
        {sections.map(section => (
          <li key={section.name}>
            <Link
              className={classes.link}
              to={{ search, hash: anchorOf(section) }}
              title={section.description}
              aria-current={inView === section.name ? 'location' : undefined}
            >
              <span className={classes.name}>{section.name}</span>
              <span className={classes.count}>{section.operations.length}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The same where there is no room beside. */
export const SectionSelect = ({ sections }: { readonly sections: readonly Section[] }) => {
  const navigate = useNavigate()
  const { search } = useLocation()
  const inView = useSectionInView(sections)
  return (
    <NativeSelect
      className={classes.select}
      aria-label={fr.goTo}
      value={inView ?? ''}
      onChange={event => {
        const name = event.currentTarget.value
        void navigate({ search, hash: name === '' ? INTRODUCTION_ID : `section-${name}` })
      }}
      data={[
        { value: '', label: fr.controllers },
        ...sections.map(({ name, operations }) => ({ value: name, label: `${name} (${operations.length})` })),
      ]}
    />
  )
}

/** From under the bars to the middle of the window. */
const READ_ZONE = '-120px 0px -50% 0px'

/** The first section that is being read; null above all of them. */
const useSectionInView = (sections: readonly Section[]): string | null => {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    const visible = new Set<string>()
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id)
          else visible.delete(target.id)
        }
        setName(sections.find(section => visible.has(anchorOf(section)))?.name ?? null)
      },
      { rootMargin: READ_ZONE },
    )
    for (const section of sections) {
      const element = document.getElementById(anchorOf(section))
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [sections])
  return name
}

// The set-up of Family: the age follows the date of birth, and the suggested reward follows the age, until the person
// chooses another one.

/** Whole years from one ISO date to another; null for an incomplete date. */
export function yearsBetween(birth, today) {
  const pattern = /^(\d{4})-(\d{2}-\d{2})$/;
  const [, year, day] = pattern.exec(birth) ?? [];
  const [, present, now] = pattern.exec(today) ?? [];
  if (!year || !present) return null;
  return Number(present) - Number(year) - (now < day ? 1 : 0);
}

/** The highest of the ages that a child of so many years has reached, or the lowest one. */
export function ageOf(years, ages) {
  return Math.max(Math.min(...ages), ...ages.filter((age) => age <= years));
}

export function attach(form) {
  const { name, dateOfBirth, reward, points } = form.elements;
  const ages = [...form.querySelectorAll("[data-ages] input")];
  const suggestions = [...form.querySelectorAll("[data-reward]")];
  const isSuggested = () =>
    suggestions.some(({ dataset }) => dataset.reward === reward.value && dataset.points === points.value);
  const fill = ({ dataset }) => {
    reward.value = dataset.reward;
    points.value = dataset.points;
    reward.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const follow = (radio) => {
    if (isSuggested()) fill(radio);
  };
  for (const radio of ages) radio.addEventListener("change", () => follow(radio));
  const followBirth = () => {
    const years = yearsBetween(dateOfBirth.value, new Date().toISOString().slice(0, 10));
    if (years === null) return;
    const age = ageOf(years, ages.map((radio) => Number(radio.value)));
    const radio = ages.find(({ value }) => Number(value) === age);
    if (radio.checked) return;
    radio.checked = true;
    follow(radio);
  };
  dateOfBirth.addEventListener("input", followBirth);
  // It may have been typed before this script was loaded.
  if (dateOfBirth.value !== dateOfBirth.defaultValue) followBirth();
  form.addEventListener("click", (event) => {
    const suggestion = event.target.closest?.("button[data-reward]");
    if (suggestion) fill(suggestion);
  });
  // A browser may ignore `autofocus` on a page that another one opened.
  if (document.activeElement === document.body) name.focus({ preventScroll: true });
}

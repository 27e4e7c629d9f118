// Names the amounts of an entered division of the money in the question before it is decided: data-split-text (the
// sentence), data-split-reward and data-split-deposit (minor units), data-split-digits, data-split-currency.
import { setNote } from "./form.js";
import { minorUnits } from "./funds.js";
import { language } from "./strings.js";

export function attach(form) {
  const digits = Number(form.dataset.splitDigits);
  const format = new Intl.NumberFormat(language, { style: "currency", currency: form.dataset.splitCurrency });
  const money = (minor) => format.format(Number(minor) / 10 ** digits);
  const typed = (name) => minorUnits(form.elements.namedItem(name).value, digits);

  const describe = () => {
    const [reward, deposit] = [BigInt(form.dataset.splitReward), BigInt(form.dataset.splitDeposit)];
    const [toCarrier, toOwner] = [typed("rewardToCarrier"), typed("depositToOwner")];
    const isValid = toCarrier !== null && toOwner !== null && toCarrier <= reward && toOwner <= deposit;
    const note = isValid
      ? form.dataset.splitText
        .replace("{carrierSum}", () => money(toCarrier + deposit - toOwner))
        .replace("{ownerSum}", () => money(reward - toCarrier + toOwner))
      : null;
    for (const button of form.querySelectorAll('[name="outcome"][value="split"]')) setNote(button, note);
  };
  form.addEventListener("input", describe);
  describe();
}

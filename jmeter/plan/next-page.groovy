// The shopper's mind: picks the next page by the transition matrix, and what the shopper types there.
//
// Reads what the pages before left in the variables (cart_1, line_n, link_n, ...) and sets what the next one needs.
// A session begins at HOME, lasts 15 minutes on average (of think time as specified, whatever the scale), and ends
// with a step to HOME. So does one in which something failed.

import java.math.RoundingMode
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter
import java.util.concurrent.ThreadLocalRandom

def random = ThreadLocalRandom.current()
if (vars.get('again') == 'true') {
    vars.put('again', 'false')
    vars.put('failed', 'true')
    // Lets the winner finish: up to a millisecond for each attempt so far, at random.
    vars.put('thinkMillis', random.nextInt(vars.get('attempts') as int) as String)
    return
}
int items = props.get('quire.items')
int customers = props.get('quire.customers')

def between = { int low, int high -> random.nextInt(low, high + 1) }
def pick = { list -> list[random.nextInt(list.size())] }
def exponential = { double mean, double cap -> Math.min(cap, -Math.log(1 - random.nextDouble()) * mean) }
def letters = ('a'..'z') + ('A'..'Z') + ['.', '-', '!', '&']
def text = { int low, int high -> (1..between(low, high)).collect { pick(letters) }.join() }
def digits = { int low, int high -> (1..between(low, high)).collect { between(0, 9) }.join() }
def hundredths = { int low, int high -> BigDecimal.valueOf(between(low, high), 2) }
def syllables = ['BA', 'OG', 'AL', 'RI', 'RE', 'SE', 'AT', 'UL', 'IN', 'NG']
def digSyl = { int number, int width -> (number as String).padLeft(width, '0').collect { syllables[it as int] }.join() }
// NURand of clause 2.1.13: (random in 0..a | random in 1..y) mod y + 1.
def nuRand = { int a, int y -> (between(0, a) | between(1, y)) % y + 1 }
// The value of the last step whose bound is not above the number.
def step = { Map<Integer, Integer> steps, int number -> steps.findAll { it.key <= number }.max { it.key }.value }
int aOfCustomers = step([0: 1023, 10_000: 4095, 40_000: 16_383, 160_000: 65_535, 640_000: 262_143], customers)
int aOfItems = step([0: 63, 10_000: 511, 100_000: 4095, 1_000_000: 32_767], items)
def time = DateTimeFormatter.ofPattern('yyyy-MM-dd HH:mm:ss')
def now = LocalDateTime.now()

def quoted = { String value -> '"' + value.replace('"', '""') + '"' }
def number = { String name -> (vars.get(name) ?: '0') as int }
def known = { String name -> vars.get(name) != null }
def set = { Map<String, Object> values -> values.each { vars.put(it.key, it.value as String) } }
def list = { String name -> (1..<(number(name + '_#') + 1)).collect { vars.get("${name}_${it}") } }

// ---- which page

String last = vars.get('page')
double secondsLeft = vars.getObject('secondsLeft') ?: 0
boolean failed = last != null && !prev.successful
String page = last == null || failed
        ? 'HOME'
        : props.get('quire.matrix')[last].ceilingEntry(between(1, 9999)).value
if (last == null || failed || page == 'HOME' && secondsLeft <= 0) {
    ['customer_1', 'cart_1', 'line_#', 'link_#'].each { vars.remove(it) }
    set(shownItem: 1, shownPrice_1: 1)
    if (random.nextDouble() < 0.8) {
        set(customer_1: nuRand(aOfCustomers, customers))
    }
    secondsLeft = exponential(900, 3600)
    last = null
}
double thinkSeconds = exponential(7, 70)
vars.putObject('secondsLeft', secondsLeft - thinkSeconds)
set(page: page,
    failed: failed,
    again: false,
    attempts: 1,
    known: known('customer_1'),
    thinkMillis: last == null ? 0 : (thinkSeconds * 1000 * (props.getProperty('thinkTime', '1') as double)) as long,
    promoted: between(1, items),
    now: now.format(time),
    today: now.toLocalDate())

// ---- what is typed there

def address = {
    set(street1: text(15, 40), street2: text(15, 40), city: text(4, 30), state: text(2, 20), zip: text(5, 10),
        country: pick(props.get('quire.countries')))
}

switch (page) {
    case ['NEWP', 'BESS']:
        set(subject: pick(props.get('quire.subjects')))
        break

    case 'SRES':
        switch (between(1, 3)) {
            case 1:
                set(condition: 'a_lname LIKE ?', sought: "%${digSyl(nuRand(aOfItems, Math.max(1, items.intdiv(10))), 7)}%")
                break
            case 2:
                set(condition: 'i_title LIKE ?', sought: "%${digSyl(nuRand(aOfItems, Math.max(1, items.intdiv(5))), 7)}%")
                break
            default:
                set(condition: 'i_subject = ?', sought: pick(props.get('quire.subjects')))
        }
        break

    case 'PROD':
        // An empty list leaves the promotion's links.
        set(shownItem: pick(list('link') ?: list('promotion')))
        break

    case 'SHOP':
        def lines = list('line')
        String change = last == 'PROD' && lines.size() < 100 ? 'add' : last == 'SHOP' ? 'refresh' : 'look'
        set(change: change, hasCart: known('cart_1'), viewing: change == 'look' && known('cart_1'))
        if (change == 'refresh') {
            def chosen = new ArrayList(lines)
            Collections.shuffle(chosen)
            chosen = chosen.take(between(1, lines.size())).sort { it as int }
            chosen.eachWithIndex { item, i -> vars.put("refresh_${i + 1}", "${between(1, 10)},${vars.get('cart_1')},$item") }
            vars.remove("refresh_${chosen.size() + 1}")
        }
        break

    case 'BUYR':
        if (known('customer_1')) {
            def name = digSyl(number('customer_1'), 0)
            set(userName: name, password: name.toLowerCase())
        } else {
            address()
            set(firstName: text(8, 15), lastName: text(8, 15), phone: digits(9, 16),
                email: "${text(8, 15)}@${text(2, 9)}.com", discount: hundredths(0, 50), data: text(100, 500),
                birthdate: LocalDate.ofEpochDay(random.nextLong(LocalDate.of(1880, 1, 1).toEpochDay(), now.toLocalDate().toEpochDay())))
        }
        set(expiration: now.plusHours(2).format(time))
        break

    case 'BUYC':
        boolean elsewhere = random.nextDouble() < 0.05
        if (elsewhere) {
            address()
        }
        set(elsewhere: elsewhere, holder: quoted("${vars.get('firstName_1')} ${vars.get('lastName_1')}".take(30)),
            cardType: pick(['VISA', 'MASTERCARD', 'DISCOVER', 'AMEX', 'DINERS']), cardNumber: digits(16, 16),
            cardExpiry: now.toLocalDate().plusDays(between(1, 730)), authorisation: text(15, 15),
            shipType: pick(['AIR', 'UPS', 'FEDEX', 'SHIP', 'COURIER', 'MAIL']),
            shipDate: now.plusDays(between(1, 7)).format(time))
        break

    case 'ORDD':
        // Who is unknown asks for some customer's order.
        def name = digSyl(known('customer_1') ? number('customer_1') : nuRand(aOfCustomers, customers), 0)
        set(userName: name, password: name.toLowerCase())
        break

    case 'ADMC':
        def share = 1 - hundredths(0, 50)
        set(cost: ((vars.get('shownPrice_1') as BigDecimal) * share).setScale(2, RoundingMode.HALF_UP),
            image: "image_${between(1, items)}.gif", thumbnail: "thumb_${between(1, items)}.gif")
        break
}

// What an order costs, and its lines: from the cart's lines and the buyer's discount, before anything is written.

import java.math.RoundingMode
import java.util.concurrent.ThreadLocalRandom

def random = ThreadLocalRandom.current()
def letters = ('a'..'z') + ('A'..'Z') + ['.', '-', '!', '&']
def comment = { (1..random.nextInt(20, 101)).collect { letters[random.nextInt(letters.size())] }.join() }
def twoPlaces = { BigDecimal amount -> amount.setScale(2, RoundingMode.HALF_UP) }

int count = vars.get('line_#') as int
BigDecimal price = 0
int books = 0
def values = []
(1..count).each { n ->
    int quantity = vars.get("quantity_$n") as int
    price += (vars.get("price_$n") as BigDecimal) * quantity
    books += quantity
    def item = vars.get("line_$n")
    vars.put("stock_$n", "$quantity,$quantity,$quantity,$item")
    // The order's number is known when the lines are inserted.
    values << '${order_1}' + ",$n,$item,$quantity,${vars.get('discount_1')},${comment()}"
}
vars.remove("stock_${count + 1}")

def subTotal = twoPlaces(price * (1 - (vars.get('discount_1') as BigDecimal)))
def tax = twoPlaces(subTotal * 0.0825)
vars.put('subTotal', subTotal as String)
vars.put('tax', tax as String)
vars.put('total', (subTotal + tax + 3 + books) as String)
vars.put('orderLines', values.join(','))
vars.put('orderLineTypes', (['INTEGER,INTEGER,INTEGER,INTEGER,DECIMAL,VARCHAR'] * count).join(','))
vars.put('orderLineRows', (['(?, ?, ?, ?, ?, ?)'] * count).join(', '))

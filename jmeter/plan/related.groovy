// The five books that an administrator's change makes a book's related ones: those that its buyers bought most
// besides; where fewer were bought, the ids after the last one found (or after this one) fill up.

int item = vars.get('shownItem') as int
int items = vars.get('lastItem_1') as int
int found = vars.get('bought_#') as int
def related = found == 0 ? [] : (1..found).collect { vars.get("bought_$it") as int }
int next = related ? related.last() : item
while (related.size() < 5) {
    next = next % items + 1
    if (next != item && !(next in related)) {
        related << next
    }
}
vars.put('related', related.join(','))

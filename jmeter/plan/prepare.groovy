// Runs once, before the browsers start: reads the transition matrix and the subjects, and takes note of the bookstore's size.
//
// The matrix has a row for each page and a column for each next page. A value is the highest draw, of 1 to 9999,
// that leads there; 0 means that no link does.

String bookstore = props.getProperty('bookstore', 'tpcw/src/main/resources/org/quiredb/tpcw')
int lastThreshold = 9999
int customersPerBrowser = 2880

def lines = { String name -> new File(bookstore, name).readLines('UTF-8').findAll { !it.startsWith('#') } }
def table = lines("browser/transitions-${props.getProperty('mix', 'shopping')}.csv")*.split(',')
def heads = table[0].toList()
def matrix = [:]
table.drop(1).each { cells ->
    def row = new TreeMap<Integer, String>()
    (1..<heads.size()).each { column ->
        int threshold = cells[column] as int
        if (threshold > 0) {
            row[threshold] = heads[column]
        }
    }
    assert row.lastKey() == lastThreshold
    matrix[cells[0]] = row
}
assert matrix.size() == 14

// Where the size is not told it is counted. Customers that registered in earlier runs are on top of whole multiples.
def told = { String name -> (props.getProperty(name) ?: '0') as int }
int items = told('items') ?: vars.get('items_1') as int
int counted = vars.get('customers_1') as int
int customers = told('customers') ?:
        (counted < customersPerBrowser ? counted : counted - counted % customersPerBrowser)

props.put('quire.matrix', matrix)
props.put('quire.subjects', lines('schema/subjects.txt'))
props.put('quire.countries', (1..(vars.get('country_#') as int)).collect { vars.get("country_$it") })
props.put('quire.items', items)
props.put('quire.customers', customers)
log.info("{} items, {} customers", items, customers)

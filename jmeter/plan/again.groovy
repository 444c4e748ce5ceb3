// A transaction that the server chose as a deadlock's victim, or let wait too long for a lock, is no failure: the
// same page is asked for again, with the same input.

import org.apache.jmeter.threads.JMeterContext

int attempts = (vars.get('attempts') ?: '1') as int
if (prev.responseCode ==~ /.* (1205|1213)/ && attempts < 20) {
    prev.setIgnore()
    vars.put('attempts', (attempts + 1) as String)
    vars.put('again', 'true')
    ctx.setTestLogicalAction(JMeterContext.TestLogicalAction.START_NEXT_ITERATION_OF_THREAD)
}

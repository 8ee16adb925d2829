select (select count(*) from audit_events) - (select count(*) from audit_chain)

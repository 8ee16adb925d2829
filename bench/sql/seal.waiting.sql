select count(*) from audit_inbox

-- Whether the user switched off the forwarding of a relay address.
-- Locks: none
create or replace function is_forwarding_off(p_address text) returns boolean language sql stable as $$
    select exists (select from account_emails where address_key = lower(p_address collate "C") and forwarding_off_since is not null);
$$;
